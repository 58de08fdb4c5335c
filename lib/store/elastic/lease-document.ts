import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Client } from '@elastic/elasticsearch'
import { hasStatus } from './connect.ts'
import type { DocState, LeaseDocument, LeaseRecord, Owner } from './lease.ts'

const ID = 'lease'

export function ownerHere(): Owner {
  return { host: hostname(), pid: process.pid, id: randomUUID() }
}

/** The lease in an index, by a client that soon gives up. A read is of all that was answered, refreshed or not. */
export function leaseDocument(client: Client, index: string, requestTimeout: number): LeaseDocument {
  return {
    async read() {
      try {
        const found = await client.get<{ readonly value: string }>({ index, id: ID }, { requestTimeout })
        const { _source, _seq_no = 0, _primary_term = 0 } = found
        return _source && { record: JSON.parse(_source.value) as LeaseRecord, state: { _seq_no, _primary_term } }
      } catch (error) {
        if (hasStatus(error, 404)) return undefined
        throw error
      }
    },
    async write(record, over) {
      const document = { kind: ID, value: JSON.stringify(record) }
      try {
        const { _seq_no = 0, _primary_term = 0 } = await client.index(
          { index, id: ID, document, ...conditionOf(over) },
          { requestTimeout },
        )
        return { _seq_no, _primary_term }
      } catch (error) {
        if (hasStatus(error, 409)) return undefined
        throw error
      }
    },
  }
}

/** Of a write that is refused where the document is another by now. */
export function conditionOf(over: DocState | 'nothing') {
  return over === 'nothing'
    ? { op_type: 'create' as const }
    : { if_seq_no: over._seq_no, if_primary_term: over._primary_term }
}

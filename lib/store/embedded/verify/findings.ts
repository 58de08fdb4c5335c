import type { Database } from '../database.ts'
import type { Checked, Fault } from './fault.ts'

/** Gathers what the checks of one directory find. */
export interface Findings {
  fault(fault: Fault): void
  count(what: keyof Checked, by?: number): void
  leftover(by: number): void
  /** Bytes looked at; lets other work of the process go on. */
  step(bytes: number): Promise<void>
}

/** What SQLite itself finds: pages, rows' order, indices against their tables. Whether that is nothing. */
export function integrity(db: Database, file: string, findings: Findings): boolean {
  const rows = db.all<{ integrity_check: string }>('PRAGMA integrity_check(10)')
  const [first = ''] = rows.map((row) => row.integrity_check.replaceAll('\n', ' '))
  if (first === 'ok') return true
  findings.fault({ code: 'FILE_DAMAGED', file, detail: `SQLite finds ${rows.length} faults, the first: ${first}` })
  return false
}

export function parsed<T>(record: string): T | undefined {
  try {
    return JSON.parse(record)
  } catch {
    return undefined
  }
}

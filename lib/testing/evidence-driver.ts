import { once } from 'node:events'
import { openStore } from '../store/open.ts'
import { sampleEvidence } from './evidence.ts'

/** A process that, once it is told to, freezes 25 evidences of its own and 25 that others freeze too, as web servers side by side do. */
const [dataDir = '', name = 'a'] = process.argv.slice(2)
process.stdout.write('ready')
await once(process.stdin, 'data')
process.stdin.unref()
const store = await openStore({ dataDir, mode: 'read' })
for (let i = 0; i < 25; i++) {
  const number = String(i).padStart(9, '0')
  await store.putEvidence(sampleEvidence({ id: `${name}${number}` }))
  await store.putEvidence(sampleEvidence({ id: `0${number}` }))
}
await store.close()

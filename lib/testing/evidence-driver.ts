import { openStore } from '../store/open.ts'
import { sampleEvidence } from './evidence.ts'

/** A process that freezes 25 evidences of its own and 25 that others freeze too, as web servers side by side do. */
const [dataDir = '', name = 'a'] = process.argv.slice(2)
const store = await openStore({ dataDir, mode: 'read' })
for (let i = 0; i < 25; i++) {
  const number = String(i).padStart(9, '0')
  await store.putEvidence(sampleEvidence({ id: `${name}${number}` }))
  await store.putEvidence(sampleEvidence({ id: `0${number}` }))
}
await store.close()

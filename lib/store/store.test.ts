import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { storeContract } from './contract.ts'
import { openStore } from './open.ts'
import { createReferenceStore } from './reference.ts'
import { sameAnswers } from './same-answers.ts'

const root = mkdtempSync(join(tmpdir(), 'prowl-store-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

storeContract('reference', async () => createReferenceStore())
for (const thread of [false, true]) {
  const name = thread ? 'embedded, behind a thread' : 'embedded'
  const open = () => openStore({ dataDir: join(root, String(++count)), mode: 'write', thread })
  storeContract(name, open)
  sameAnswers(name, open, thread ? 5 : 80)
}

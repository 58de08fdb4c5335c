import { resolve } from 'node:path'
import { Command } from 'commander'
import { readManifest } from '#lib/service/backup-files.ts'
import { restoreFiles, restoreRecords } from '#lib/service/restore.ts'
import { openStore } from '#lib/store/open.ts'
import { copyCommand, held } from './copy/command.ts'

const command = new Command('npm run restore --')
  .description('Puts a backup into a store that is empty. One that holds anything is left as it is.')
  .argument('<directory>', 'what npm run backup made')
  .addHelpText('after', '\nExample: npm run restore -- /backups/prowl-2026-11-03 --data ./data')

await copyCommand(command, async (directory, _, { dataDir }, onProgress) => {
  const options = { dir: resolve(directory), onProgress }
  const { form } = await readManifest(options.dir)
  if (form === 'files') return `${held((await restoreFiles(dataDir, options)).counts)}, with text, are in ${dataDir}`
  const store = await openStore({ dataDir, mode: 'write', thread: true })
  try {
    return `${held((await restoreRecords(store, options)).counts)} are in ${dataDir}; the worker reads their text again`
  } finally {
    await store.close()
  }
})

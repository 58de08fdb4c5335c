import { resolve } from 'node:path'
import { Command } from 'commander'
import { ProwlError } from '#lib/errors.ts'
import { readManifest } from '#lib/service/backup-files.ts'
import { restoreFiles, restoreRecords } from '#lib/service/restore.ts'
import { copyCommand, held, placeOf, withStore } from './copy/command.ts'

const command = new Command('npm run restore --')
  .description('Puts a backup into a store that is empty. One that holds anything is left as it is.')
  .argument('<directory>', 'what npm run backup made')
  .addHelpText('after', '\nExample: npm run restore -- /backups/prowl-2026-11-03 --data ./data')

await copyCommand(command, async (directory, _, config, onProgress) => {
  const options = { dir: resolve(directory), onProgress }
  const { form } = await readManifest(options.dir)
  if (form === 'records') {
    const { counts } = await withStore(config, 'write', (store) => restoreRecords(store, options))
    return `${held(counts)} are in ${placeOf(config)}; the worker reads their text again`
  }
  if (config.elastic)
    throw new ProwlError(
      'CONFIG_INVALID',
      `${options.dir} holds the embedded store's files; restore it with PROWL_STORE=embedded, then npm run migrate`,
    )
  return `${held((await restoreFiles(config.dataDir, options)).counts)}, with text, are in ${config.dataDir}`
})

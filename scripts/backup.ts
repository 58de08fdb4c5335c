import { resolve } from 'node:path'
import { Command } from 'commander'
import prettyBytes from 'pretty-bytes'
import { backupEmbedded, backupRecords } from '#lib/service/backup.ts'
import { type CopyFlags, copyCommand, held, withStore } from './copy/command.ts'

const command = new Command('npm run backup --')
  .description('Copies the store as it is now into a new directory. Of the embedded store, the worker may go on.')
  .argument('<directory>', 'made, and refused where it exists')
  .option(
    '--without-text',
    'everything but the text of logs, as always of Elasticsearch: it is read again from the bucket',
  )
  .addHelpText('after', '\nExample: npm run backup -- /backups/prowl-2026-11-03')

await copyCommand<CopyFlags & { readonly withoutText?: boolean }>(
  command,
  async (directory, { withoutText = false }, config, onProgress) => {
    const options = { dir: resolve(directory), now: Date.now(), onProgress }
    const { counts, files, form } = config.elastic
      ? await withStore(config, 'read', (store) => backupRecords(store, options))
      : await backupEmbedded(config.dataDir, { ...options, text: !withoutText })
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return `${options.dir}: ${held(counts)}, ${form === 'files' ? 'with' : 'without'} text, ${prettyBytes(bytes)}`
  },
)

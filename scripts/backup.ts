import { resolve } from 'node:path'
import { Command } from 'commander'
import prettyBytes from 'pretty-bytes'
import { backupEmbedded } from '#lib/service/backup.ts'
import { type CopyFlags, copyCommand, held } from './copy/command.ts'

const command = new Command('npm run backup --')
  .description('Copies the store as it is now into a new directory; the worker and the web app may go on.')
  .argument('<directory>', 'made, and refused where it exists')
  .option('--without-text', 'everything but the text of logs, which is read again from the bucket after a restore')
  .addHelpText('after', '\nExample: npm run backup -- /backups/prowl-2026-11-03')

await copyCommand<CopyFlags & { readonly withoutText?: boolean }>(
  command,
  async (directory, { withoutText = false }, { dataDir }, onProgress) => {
    const options = { dir: resolve(directory), now: Date.now(), onProgress }
    const { counts, files } = await backupEmbedded(dataDir, { ...options, text: !withoutText })
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return `${options.dir}: ${held(counts)}, ${withoutText ? 'without' : 'with'} text, ${prettyBytes(bytes)}`
  },
)

import { resolve } from 'node:path'
import { Command } from 'commander'
import { migrate } from '#lib/service/migrate.ts'
import { openStore } from '#lib/store/open.ts'
import { copyCommand, held } from './copy/command.ts'

const command = new Command('npm run migrate --')
  .description(
    'Carries runs, hits, incidents and states of an embedded store into the one that is configured, which must be empty. Cut off, it goes on when run again.',
  )
  .argument('<data-directory>', 'of the embedded store; it is only read')
  .addHelpText('after', '\nExample: npm run migrate -- ./data --data /srv/prowl')

await copyCommand(command, async (directory, _, { dataDir }, onProgress) => {
  const store = await openStore({ dataDir, mode: 'write', thread: true })
  try {
    const counts = await migrate(resolve(directory), store, onProgress)
    return `${held(counts)} are in ${dataDir}; the worker reads their text again`
  } finally {
    await store.close()
  }
})

import { resolve } from 'node:path'
import { Command } from 'commander'
import { migrate } from '#lib/service/migrate.ts'
import { copyCommand, held, placeOf, withStore } from './copy/command.ts'

const command = new Command('npm run migrate --')
  .description(
    'Carries runs, hits, incidents and states of an embedded store into the one that is configured, which must be empty. Cut off, it goes on when run again.',
  )
  .argument('<data-directory>', 'of the embedded store; it is only read')
  .addHelpText(
    'after',
    '\nExample: PROWL_STORE=elasticsearch ELASTICSEARCH_URL=http://localhost:9200 npm run migrate -- ./data',
  )

await copyCommand(command, async (directory, _, config, onProgress) => {
  const counts = await withStore(config, 'write', (store) => migrate(resolve(directory), store, onProgress))
  return `${held(counts)} are in ${placeOf(config)}; the worker reads their text again`
})

import { Command } from 'commander'
import { knownCommand } from './cli/known.ts'
import { ending, oneLine } from './cli/output.ts'
import { searchCommand } from './cli/search.ts'

const program = new Command('prowl')
  .description('Asks prowl from a terminal or a CI job: the data on this machine, or a running server (--url).')
  .addCommand(knownCommand('known'))
  .addCommand(searchCommand('search', 'npx prowl search'))
await ending(() => oneLine(program).parseAsync())

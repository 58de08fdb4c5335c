import { ending } from './cli/output.ts'
import { searchCommand } from './cli/search.ts'

await ending(() => searchCommand('npm run search --', 'npm run search --').parseAsync())

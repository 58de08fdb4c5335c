import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { copyOf, type Outcome, outcomeOf, tried } from './mutations/mutant.ts'
import { MUTATIONS } from './mutations/table.ts'

const options = new Command('npm run mutations --')
  .description('Breaks named invariants, one at a time, in a copy of this tree: a test must be red each time.')
  .option('--only <words>', 'those whose name holds these words')
  .option('--json <file>', 'what became of each, for a program')
  .parse()
  .opts<{ only?: string; json?: string }>()

const chosen = MUTATIONS.filter(({ invariant }) => invariant.includes(options.only ?? ''))
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
const copy = copyOf(process.cwd(), listed.split('\0').filter(Boolean))
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const whole = await outcomeOf(copy, [...new Set(chosen.map(({ test }) => test))])
const outcomes: { invariant: string; outcome: Outcome }[] = []
if (whole.what === 'green') {
  for (const mutation of chosen) {
    const outcome = await tried(copy, mutation)
    outcomes.push({ invariant: mutation.invariant, outcome })
    console.log(`${outcome.what === 'red' ? 'noticed' : 'MISSED '}  ${mutation.invariant}\n         ${told(outcome)}`)
  }
} else console.log(`the tests fail without any change: ${told(whole)}`)
const noticed = outcomes.filter(({ outcome }) => outcome.what === 'red').length
console.log(`${noticed} of ${chosen.length} broken invariants were noticed`)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ noticed, of: chosen.length, outcomes }, null, 2)}\n`)
process.exitCode = chosen.length > 0 && noticed === chosen.length ? 0 : 1

function told(outcome: Outcome): string {
  if (outcome.what === 'red') return `${outcome.tests.length} red: ${outcome.tests[0]}`
  return outcome.what === 'green' ? 'every test stayed green' : outcome.why
}

import { printable } from '../text/printable.ts'
import type { TallyView } from './tally.ts'

/** As `uniq -c` prints them. */
export function tallyLines({ values, by }: TallyView): string {
  return values
    .map((each) => `${String(by === 'run' ? each.runs : each.lines).padStart(7)} ${printable(each.value)}\n`)
    .join('')
}

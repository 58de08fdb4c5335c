import { RE2JS } from 're2js'
import { compareBytes } from '../../store/order.ts'
import { matchText } from '../../text/match-text.ts'
import { shownText } from '../../text/printable.ts'
import type { SearchHit } from '../engine.ts'
import type { Meet } from '../meet.ts'
import type { SearchQuery } from '../query.ts'
import { cutBlocks, logName, type TestRun } from './world.ts'

type Asked = Pick<SearchQuery, 'patterns' | 'excludes' | 'context'> & { readonly meet?: Meet }

/** What a scan of every line by re2js finds, without blocks, threads or pages. */
export function bruteForce(runs: readonly TestRun[], { patterns, excludes = [], meet = 'any', context }: Asked) {
  const matchers = patterns.map(smartCase)
  const excluding = excludes.map(smartCase)
  const logs = runs.flatMap((run, number) =>
    run.logs.map((lines, index) => ({ run, path: `logs/${run.job}/${number}`, log: logName(index), lines })),
  )
  logs.sort((a, b) => a.run.minutesAgo - b.run.minutesAgo || compareBytes(a.path, b.path) || compareBytes(a.log, b.log))
  const found = logs.flatMap(({ path, log, lines }) => {
    const windows = lines.map((line) => cutBlocks([line]).map((block) => matchText(block.bytes, block.ascii)))
    const shown = windows.map((texts) => shownText(texts[0]?.slice(0, 2_000) ?? ''))
    return windows.flatMap((texts, index) => {
      const left = texts.filter((text) => !excluding.some((re) => re.test(text)))
      const matched = matchers.flatMap((re, pattern) => (left.some((text) => re.test(text)) ? [pattern] : []))
      if (matched.length === 0) return []
      const before = shown.slice(Math.max(0, index - context), index)
      return [
        { path, log, line: index + 1, patterns: matched, before, after: shown.slice(index + 1, index + 1 + context) },
      ]
    })
  })
  const ofRun = Map.groupBy(found, ({ path }) => path)
  return found.filter(({ path, patterns: matched }) => {
    const all = new Set(ofRun.get(path)?.flatMap(({ patterns: of }) => of))
    if (meet === 'all') return all.size === patterns.length
    return meet === 'any' || (all.size === 1 && matched.includes(0))
  })
}

function smartCase(pattern: string): RE2JS {
  return RE2JS.compile(pattern, /[A-Z]/.test(pattern) ? 0 : RE2JS.CASE_INSENSITIVE)
}

/** A hit as `bruteForce` tells it. */
export function outline({ path, log, line, patterns, before, after }: SearchHit) {
  return { path: path.replace(/\d+-/, ''), log, line, patterns, before, after }
}

import { expect, test } from 'vitest'
import type { FindView, LogWindow } from '#lib/service/views.ts'
import { stopsOf } from './places.ts'

const LOG = { name: 'build-log.txt', kind: 'build-log', bytes: 9, lines: 900 } as const
const WINDOW: LogWindow = { log: LOG, from: 101, to: 300, lines: [], hitLines: [5, 150, 200, 800] }
const SEARCHED = { logs: 1, blocks: 1, pruned: 0, bytes: 1, ms: 1, leftOut: 0 }
const FIND: FindView = {
  ...{ pattern: 'x', lines: 4, logs: [], searched: SEARCHED, partial: [] },
  ...{
    marks: [
      { line: 101, spans: [] },
      { line: 300, spans: [] },
    ],
    previous: 99,
    next: 301,
  },
}

test.each([
  ['no line is shown', undefined, undefined, { word: 'hit', previous: 5, next: 150, above: 5, below: 800 }],
  ['a hit is shown', undefined, 150, { previous: 5, next: 200, above: 5, below: 800 }],
  ['the last in the window', undefined, 200, { previous: 150, next: 800 }],
  ['a line between hits', undefined, 160, { previous: 150, next: 200 }],
  ['a search', FIND, undefined, { word: 'match', previous: 99, next: 101, above: 99, below: 301 }],
  ['its last in the window', FIND, 300, { previous: 101, next: 301 }],
  [
    'nothing found',
    { ...FIND, marks: [], previous: undefined, next: undefined },
    150,
    { above: undefined, next: undefined },
  ],
] as const)('%s', (_, find, at, stops) => {
  expect(stopsOf(WINDOW, find as FindView | undefined, at)).toMatchObject(stops)
})

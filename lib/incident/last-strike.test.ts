import { describe, expect, it } from 'vitest'
import type { Track, TrackMark } from '../model/hit.ts'
import { lastStrike } from './last-strike.ts'

const MINUTE = 60_000
const incident = { from: { earliest: 0, latest: 0 }, to: { earliest: MINUTE, latest: MINUTE } }
const mark = (what: string, minute: number, width = 0): TrackMark => ({
  what,
  line: 1,
  placed: { earliest: minute * MINUTE, latest: (minute + width) * MINUTE, source: 'heartbeats' },
})
const track = (...marks: TrackMark[]): Track => ({
  bucket: 'gs://b',
  path: 'p',
  signature: 's',
  resource: 'r',
  log: 'l',
  marks,
})
const rule = { windowMs: 30 * MINUTE }

describe('lastStrike', () => {
  it.each([
    ['no track: the bounds of its hits', [], rule, 1, 1],
    [
      'beats that failed after the first',
      [track(mark('eof', 0), mark('no_route', 1), mark('no_route', 5, 1))],
      rule,
      5,
      6,
    ],
    ['the latest of several runs', [track(mark('no_route', 9)), track(mark('no_route', 4))], rule, 9, 9],
    [
      'a chain of beats, each within the window',
      [track(mark('no_route', 20), mark('no_route', 45), mark('no_route', 70))],
      rule,
      70,
      70,
    ],
    ['not a later outage of the same run', [track(mark('no_route', 5), mark('eof', 90))], rule, 5, 5],
    ['not an earlier one', [track(mark('eof', -200))], rule, 1, 1],
    ['not a witness line', [track(mark('witness', 8))], rule, 1, 1],
    [
      'of a part only its causes',
      [track(mark('eof', 3), mark('no_route', 9))],
      { ...rule, part: { of: 's', causes: ['eof'] } },
      3,
      3,
    ],
  ])('%s', (_, tracks, signature, earliest, latest) => {
    expect(lastStrike(incident, tracks, signature)).toEqual({ earliest: earliest * MINUTE, latest: latest * MINUTE })
  })
})

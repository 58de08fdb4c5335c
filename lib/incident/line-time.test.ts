import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineTimes, mayHoldTimes, parseRfc3339, type ReadTime, type TimeForm } from './line-time.ts'

const instant = (text: string): ReadTime => ({ kind: 'instant', ms: Date.parse(text) })
const timeOfDay = (text: string) => Date.parse(`1970-01-01T${text}Z`)
const yearless = (month: number, day: number, hms: string): ReadTime => ({
  kind: 'yearless',
  month,
  day,
  msOfDay: timeOfDay(hms),
})

type Row = readonly [line: string, ...times: (readonly [TimeForm, ReadTime])[]]

const FORMS: readonly Row[] = [
  ['2021/03/18 16:30:50 msg', ['go', instant('2021-03-18T16:30:50Z')]],
  ['2021/03/18 16:30:50.123456 msg', ['go', instant('2021-03-18T16:30:50.123Z')]],
  ['time="2021-03-18T16:30:50Z" level=info msg="x"', ['logrus', instant('2021-03-18T16:30:50Z')]],
  ['time="2021-03-18T16:30:50+02:00" level=info', ['logrus', instant('2021-03-18T14:30:50Z')]],
  ['level=error msg=untimed'],
  ['INFO [2021-04-28T20:14:38Z] msg   ', ['bracketed', instant('2021-04-28T20:14:38Z')]],
  ['INFO[2022-04-27T18:25:12Z] Acquiring leases', ['bracketed', instant('2022-04-27T18:25:12Z')]],
  ['{"component":"entrypoint","msg":"m","time":"2021-03-18T16:30:50Z"}', ['json', instant('2021-03-18T16:30:50Z')]],
  [`{"error":"${'x'.repeat(5000)}","time":"2021-03-18T16:30:50Z"}`, ['json', instant('2021-03-18T16:30:50Z')]],
  ['W0915 16:00:00.634] Running', ['bootstrap', yearless(9, 15, '16:00:00.634')]],
  ['W0915 16:00:00.634]', ['bootstrap', yearless(9, 15, '16:00:00.634')]],
  ['I0107 12:33:44.123456       1 file.go:9] m', ['klog', yearless(1, 7, '12:33:44.123')]],
  ['Apr 17 13:19:49.383 I node/x m', ['syslog', yearless(4, 17, '13:19:49.383')]],
  ['Jan  7 12:33:44.123: INFO: m', ['syslog', yearless(1, 7, '12:33:44.123')]],
  ['Aug 19 17:30:23.156577 host kubelet[1]: m', ['syslog', yearless(8, 19, '17:30:23.156')]],
  [
    '07:39:45: I0928 03:39:45.854640',
    ['clock', { kind: 'time-of-day', msOfDay: timeOfDay('07:39:45') }],
    ['klog', yearless(9, 28, '03:39:45.854')],
  ],
  ['[   12.3s] m', ['elapsed', { kind: 'since-start', ms: 12_300 }]],
  ['[12s] m', ['elapsed', { kind: 'since-start', ms: 12_000 }]],
  ['081109 203615 148 INFO dfs', ['compact', instant('2008-11-09T20:36:15Z')]],
  ['[Sun Dec 04 04:47:44 2005] [notice]', ['ctime', instant('2005-12-04T04:47:44Z')]],
  ['2021-03-18T16:30:50.123456789Z stdout F m', ['rfc3339', instant('2021-03-18T16:30:50.123Z')]],
  ['2021-03-18 16:30:50 m', ['rfc3339', instant('2021-03-18T16:30:50Z')]],
  [
    'W0102 16:00:01.634] 2018/01/02 16:00:00 main.go:270: m',
    ['bootstrap', yearless(1, 2, '16:00:01.634')],
    ['go', instant('2018-01-02T16:00:00Z')],
  ],
  [
    'Jan 02 17:30:23.156577 host kubenswrapper[2478]: E0102 17:30:22.156522    2478 controller.go:195] m',
    ['syslog', yearless(1, 2, '17:30:23.156')],
    ['klog', yearless(1, 2, '17:30:22.156')],
  ],
  [
    '{"msg":"I0107 12:33:44.123456 m","time":"2021-01-07T12:40:00Z"}',
    ['json', instant('2021-01-07T12:40:00Z')],
    ['klog', yearless(1, 7, '12:33:44.123')],
  ],
  ['Feb 29 00:00:00 leap', ['syslog', yearless(2, 29, '00:00:00.000')]],
]

const NONE = [
  '',
  'no time at all',
  '2021/02/30 16:30:50 no such day',
  '2021/13/01 16:30:50 no such month',
  '2021/03/18 24:30:50 no such hour',
  '2021/03/18 16:60:50 no such minute',
  'Feb 30 10:00:00 no such day',
  '12021/03/18 16:30:50',
  '[INFO] Leased resource: {"lastupdate":"2020-01-07T12:33:50.123456789Z"}',
  'at 07:39:45: in the middle',
  '[   12.345678] dmesg counts from boot',
  'XI0107 12:33:44.123456 1 file.go',
  'Marchmar 17 13:19:49',
  `${'x'.repeat(600)} 2021/03/18 16:30:50 far into the line`,
  '{"time":"yesterday"}',
  '{"time":1616085050}',
]

describe('times on a line, outermost first', () => {
  test.each(FORMS.map(([line, ...times]) => ({ line, times })))('$line', ({ line, times }) => {
    expect(lineTimes(line).map(({ form, time }) => [form, time])).toEqual(times)
    expect(mayHoldTimes(line)).toBe(times.length > 0)
  })

  test.each(NONE)('none: %s', (line) => expect(lineTimes(line)).toEqual([]))

  test('property: no line makes it throw, and the cheap test never misses one', () => {
    const piece = fc.constantFrom(
      ...FORMS.map(([line]) => line),
      '\n',
      ' ',
      '[',
      'I0107 ',
      '12:33:44',
      '.1',
      '{"time":"',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const line = pieces.join('').replaceAll('\n', ' ')
        if (lineTimes(line).length > 0) expect(mayHoldTimes(line)).toBe(true)
      }),
    )
  })

  test.each([
    '{"time" ',
    '{"time":"2021-03-18T16:30:5',
    '2021/03/18 ',
    '2021/03/18 16:30:50 ',
    'Jan  7 12:33:44.',
    'time="',
    '12:33:44',
    '[',
    '1',
    ' ',
  ])('64 KiB of %j: only the headers are read', (seed) => {
    const line = seed.repeat(Math.ceil(65_536 / seed.length))
    expect(lineTimes(line)).toEqual(lineTimes(line.slice(0, 512)))
  })
})

test.each([
  ['2020-01-07T12:33:50Z', '2020-01-07T12:33:50.000Z'],
  ['2020-01-07T12:33:50.123456789Z', '2020-01-07T12:33:50.123Z'],
  ['2020-01-07 12:33:50', '2020-01-07T12:33:50.000Z'],
  ['2020-01-07T12:33:50-0530', '2020-01-07T18:03:50.000Z'],
  ['2020-01-07T12:33:60Z', '2020-01-07T12:34:00.000Z'],
  ['2019-02-29T12:33:50Z', undefined],
  ['2020-01-07', undefined],
  ['', undefined],
])('RFC 3339 %s', (text, expected) => {
  const ms = parseRfc3339(text)
  expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(expected)
})

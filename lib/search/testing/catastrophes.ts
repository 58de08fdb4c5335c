/** A pattern on which a backtracking engine takes exponential or high polynomial time, with a line that makes it. */
export interface Catastrophe {
  /** Where the form is published. */
  readonly from: string
  readonly pattern: string
  readonly line: string
}

const A = 'a'.repeat(5_000)
const X = 'x'.repeat(60)

/** Written down anew from what is published; those in another dialect in RE2's. */
export const CATASTROPHES: readonly Catastrophe[] = [
  ...of('OWASP, Regular expression Denial of Service', [
    ['(a+)+$', `${A}!`],
    ['([a-zA-Z]+)*$', `${A}!`],
    ['(a|aa)+$', `${A}!`],
    ['(a|a?)+$', `${A}!`],
    ['(.*a){12}$', `${'a'.repeat(200)}!`],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', A],
    [
      '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
      `${A}!`,
    ],
  ]),
  ...of('regular-expressions.info, Catastrophic Backtracking', [
    ['(x+x+)+y', 'x'.repeat(5_000)],
    ['^(.*?,){11}P', `${'1,'.repeat(2_000)}x`],
    [
      '<html>.*?<head>.*?<title>.*?</title>.*?</head>.*?<body[^>]*>.*?</body>.*?</html>',
      '<html><head><title></title>'.repeat(80),
    ],
  ]),
  ...of('Cloudflare, outage of 2 July 2019', [
    [
      '(?:(?:"|\'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|\\-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))',
      `x=${'x'.repeat(8_000)}`,
    ],
    ['.*.*=.*', 'x'.repeat(8_000)],
  ]),
  ...of('Stack Overflow, outage of 20 July 2016', [
    ['^[\\s\\x{200c}]+|[\\s\\x{200c}]+$', `-- play${' '.repeat(20_000)}.`],
  ]),
  ...of('Davis et al., The Impact of ReDoS in Practice, 2018', [
    ['^(\\w+\\s?)*$', `${'word '.repeat(500)}!`],
    ['(\\s*\\w+\\s*)+;', `${'word '.repeat(500)}!`],
    ['^(\\d+)*$', `${'1'.repeat(5_000)}x`],
    ['(\\d+\\.?\\d*)+x', '1'.repeat(5_000)],
  ]),
  ...of('CVE-2017-16137 and its kin: trims and quotes', [
    ['\\s*\\n|\\s+$', `${' '.repeat(20_000)}x`],
    ['"(?:[^"\\\\]|\\\\.)*"$', `"${'\\"'.repeat(5_000)}`],
    ['("[^"]*"|[^",]+)+,$', `${'"",'.repeat(2_000)}!`],
  ]),
  ...of('CVE-2015-8315 and its kin: durations and versions', [
    ['^((?:\\d+)?\\.?\\d+) *(seconds?|minutes?|hours?|days?)?$', '1'.repeat(20_000)],
    ['^(\\d+\\.)*(\\d+\\.)*(\\d+)-$', '1.'.repeat(2_000)],
  ]),
  ...of('counts, which keep V8 from its linear engine', [
    ['^(?:x+x+){17,40}y', X],
    ['(?:a?){40}a{40}b', 'a'.repeat(80)],
    ['(?:(?:x*){20}){20}y', X],
    ['(?:[a-z]+){18,}\\d', 'abcdefghij'.repeat(6)],
    ['(?:\\w{1,20}\\W?){20,30}=', 'word'.repeat(30)],
  ]),
  ...of('other ways to write them', [
    ['(?i)(A+)+$', `${A}!`],
    ['(?s)(.|\\n)*x$', A],
    ['(\\pL+\\pN*)+$', `${'\u00e9'.repeat(2_000)}!`],
    ['(?:a|b|ab)*c', 'ab'.repeat(2_000)],
    ['(?:(?:a*)*)*b', A],
    ['a*a*a*a*a*a*a*b', 'a'.repeat(2_000)],
    ['\\b(\\w+\\b\\W*)+!\\?', 'word '.repeat(500)],
    ['(?:.*,)*.*;', ','.repeat(3_000)],
  ]),
]

function of(from: string, patterns: readonly (readonly [pattern: string, line: string])[]): Catastrophe[] {
  return patterns.map(([pattern, line]) => ({ from, pattern, line }))
}

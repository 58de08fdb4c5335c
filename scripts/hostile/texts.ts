/** What a log, a name or a parameter may hold to do harm, each with a mark that tells it where it got through. */
export const HOSTILE = {
  markup: '</script></style><!--><prowl-x onload=alert(1)>',
  attribute: `" onprowl="1" ' onprowl='1`,
  terminal: '\u001b]0;owned\u0007\u001b[2J\u001b[31m\u009b31m\u0090q\u009c\b\b\u007f\u000e',
  rightToLeft: '\u202egnp.exe\u202c \u2066\u05e9\u05dc\u05d5\u05dd',
  formula: '=HYPERLINK("http://evil.test","x")',
  markdown: '[x](javascript:alert(1)) ![](http://evil.test/p.png) ``` {noformat} ]|',
} as const

const ALL = Object.values(HOSTILE).join(' ')

/** Lines that known signatures match, one that none does, and all of it in each. */
export const HOSTILE_LINES = [
  `level=error msg="failed to send heartbeat for resource \\"${HOSTILE.terminal}${HOSTILE.markup}\\": EOF ${ALL}"`,
  `time="2026-01-01T00:00:00Z" failed to send heartbeat for resource "q": EOF ${ALL}`,
  `error: ${ALL}`,
  `${HOSTILE.formula} needle ${ALL}`,
  'needle \u0000 \ufeff \ufffe \ud800 lone',
]

/** Names as a directory can have them: all but `/` and NUL. */
export const HOSTILE_NAMES = [
  '<prowl-x onload=alert(1)>',
  `" onprowl="1`,
  `' onprowl='1`,
  '..%2F..%2F..%2Fetc%2Fpasswd',
  '%2e%2e',
  '...',
  '..\\..\\windows',
  '-rf',
  '--help',
  ' ',
  'a\nb\r\nset-cookie: x=1',
  `${HOSTILE.terminal}`,
  HOSTILE.rightToLeft,
  '#?&=;+%00%0d%0a',
  '__proto__',
  'constructor',
  'javascript:alert(1)',
  '=1+1',
  '*?[a-z]{1,2}$(id)`id`',
  'n'.repeat(250),
  '\u{1f4a5}\u0301\u0301',
] as const

/** Of a parameter. */
export const HOSTILE_VALUES = [
  '',
  `${HOSTILE.markup}`,
  HOSTILE.attribute,
  HOSTILE.terminal,
  HOSTILE.rightToLeft,
  'x'.repeat(10_000),
  '(((((a+)+)+)+)+)+$',
  '-1',
  '1e999',
  'NaN',
  '9'.repeat(400),
  '../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'a\r\nset-cookie: x=1',
  'a\u0000b',
  '__proto__',
  'constructor',
  'file:///etc/passwd',
  '{"$ne":1}',
  "' OR 1=1 --",
  '$' + '{7*7}{{7*7}}',
  '\ufffd\uffff',
] as const

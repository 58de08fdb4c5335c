import { expect, test } from 'vitest'
import { sheetCsv, sheetText } from './sheet.ts'

const sheet = {
  head: [
    ['id', 'x\u001b[2J'],
    ['none', undefined],
  ] as const,
  columns: ['a', 'b'],
  rows: [
    ['=HYPERLINK("http://evil.test")', -1],
    ['two\nlines\tand "quotes", \u001b]0;title\u0007', undefined],
    ['@SUM(1)', 2],
  ],
}

test('text is a line a row, its columns apart by tabs, and moves no cursor', () => {
  expect(sheetText(sheet)).toBe(
    'id: x [2J\n\na\tb\n=HYPERLINK("http://evil.test")\t-1\ntwo lines and "quotes",  ]0;title \t\n@SUM(1)\t2\n',
  )
})

test('CSV holds no formula, and numbers stay numbers', () => {
  expect(sheetCsv(sheet).split('\r\n')).toEqual([
    'a,b',
    `"'=HYPERLINK(""http://evil.test"")",-1`,
    '"two lines and ""quotes"",  ]0;title ",',
    "'@SUM(1),2",
    '',
  ])
})

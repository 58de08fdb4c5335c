import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { ERROR_CODES, type ErrorCode, isProwlError, ProwlError } from './errors.ts'

describe('errors', () => {
  const documented = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^## (\w+)$/gm)].map((m) => m[1])

  it('documents every code once, and no other', () => {
    expect([...documented].sort()).toEqual(Object.keys(ERROR_CODES).sort())
  })

  it.each(Object.entries(ERROR_CODES) as [ErrorCode, number][])(
    '%s answers %d and links its paragraph',
    (code, status) => {
      const error = new ProwlError(code, 'text', { position: 3 })
      expect(error.status).toBe(status)
      expect(error.docs).toBe(`docs/errors.md#${code.toLowerCase()}`)
      expect(error.position).toBe(3)
      expect(isProwlError(error)).toBe(true)
    },
  )

  it('are one line, whatever name they tell of', () => {
    expect(new ProwlError('NOT_FOUND', 'a\r\nb\u001b[2J: gone').message).toBe('a b [2J: gone')
  })

  it('knows an error made by another copy of this module, as bundlers make them', async () => {
    vi.resetModules()
    const copy: typeof import('./errors.ts') = await import('./errors.ts')
    expect(copy.ProwlError).not.toBe(ProwlError)
    expect(isProwlError(new copy.ProwlError('NOT_FOUND', 'text'))).toBe(true)
    expect(isProwlError(Object.assign(new Error('text'), { code: 'NOT_FOUND' }))).toBe(false)
  })
})

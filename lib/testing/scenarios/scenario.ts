import { expect } from 'vitest'

/** One request to the app over the scenario bucket, and what must hold of its answer. */
export interface Scenario {
  readonly name: string
  readonly get: string
  readonly headers?: Readonly<Record<string, string>>
  /** 200 unless named. */
  readonly status?: number
  /** Headers of the answer; null: it has none. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** Of JSON: what it holds among others. */
  readonly json?: object
  /** Of anything else: all of these are in it (in a page: in what it shows). */
  readonly shows?: readonly (string | RegExp)[]
  /** All pages are asked for, one after the other by `next`: the lines of their hits, `job line`, laid end to end. */
  readonly pages?: readonly string[]
  /** False: each store answers for itself. */
  readonly same?: false
}

export const api = (path: string, parameters: Readonly<Record<string, string>> = {}) =>
  `/api/v1/${path}?${new URLSearchParams(parameters)}`

export const HTML = { accept: 'text/html' }

export const error = (code: string, more: object = {}) => ({
  code,
  detail: expect.any(String),
  type: `/docs/errors.md#${code.toLowerCase()}`,
  ...more,
})

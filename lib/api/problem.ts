import { z } from 'zod'
import { ERROR_CODES, type ErrorCode, type FaultyPattern, type ProwlError } from '../errors.ts'
import type { EditProblem as EditProblemModel } from '../service/edit-view.ts'
import { Count, shape } from './schema/shape.ts'
import { EditProblem } from './schema/signature.ts'

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]

/** An error as the API tells it (RFC 9457); `code` and what follows are prowl's own. */
export interface Problem {
  /** Address of the paragraph that explains the code, on this site. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly position?: number
  readonly pattern?: FaultyPattern
  /** What is wrong with an edit. */
  readonly problems?: readonly EditProblemModel[]
}

export const PROBLEM_TYPE = 'application/problem+json'

export const Problem = shape<Problem>()({
  type: z.string().meta({ description: 'Address of what explains the code', format: 'uri-reference' }),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().meta({ description: 'One line that says what happened and what to do' }),
  code: z.enum(CODES),
  position: Count.exactOptional().meta({ description: 'Where the pattern is at fault, in UTF-16 units' }),
  pattern: shape<FaultyPattern>()({
    parameter: z.enum(['search', 'exclude', 'name', 'excludeName']),
    index: Count,
    text: z.string(),
  }).exactOptional(),
  problems: z.array(EditProblem).exactOptional(),
}).meta({ id: 'Problem' })

export function problemOf({ code, status, message, docs, position, pattern }: ProwlError): Problem {
  return {
    type: `/${docs}`,
    title: sentence(code),
    status,
    detail: message,
    code,
    ...(position !== undefined && { position }),
    ...(pattern && { pattern }),
  }
}

/** `REGEX_SYNTAX` is `Regex syntax`: the same for every problem of a code. */
function sentence(code: ErrorCode): string {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

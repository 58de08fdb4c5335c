import { matchText } from './match-text.ts'

/** The fields of a JSON log line that say something, in the order in which they are matched. */
const FIELDS = ['msg', 'error'] as const

/**
 * The texts of one line that signatures are matched on: of a JSON record its decoded `msg` and `error`, each by itself
 * and split into lines (`&` is `\u0026` in the raw line, and a match never spans two fields); of any other line, itself.
 */
export function lineTexts(line: string): readonly string[] {
  return jsonTexts(line) ?? [line]
}

/** Undefined for a line that is no JSON record with such a field. */
export function jsonTexts(line: string): readonly string[] | undefined {
  if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return undefined
  const record = parseObject(line)
  if (!record) return undefined
  const texts = FIELDS.map((field) => record[field]).filter((value) => typeof value === 'string')
  return texts.length === 0 ? undefined : texts.flatMap((text) => decoded(text).split('\n'))
}

/** A field's text as if it had stood in the log: without colours and control characters. */
function decoded(field: string): string {
  return matchText(Buffer.from(field), false)
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

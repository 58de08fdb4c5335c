import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { ProwlError } from '../errors.ts'
import { compile } from '../regex/compile.ts'

const Pattern = z
  .string()
  .min(1)
  .transform((text, context) => {
    try {
      return compile(text)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error))
      return z.NEVER
    }
  })
const Name = z.string().regex(/^[a-z][a-z0-9_-]{0,30}$/, 'must be lower-case letters, digits, `_` and `-`')
const Value = z.strictObject({ value: z.string().trim().min(1).max(60), job: Pattern })
const File = z.strictObject({ variants: z.record(Name, z.array(Value).min(1)) })

/** By the variant's name, in the files' order: what a job's name says, the first that matches. */
export type Variants = ReadonlyMap<string, readonly z.output<typeof Value>[]>

// Beside this file in the source tree; a bundle has no other way to find it.
const BUILT_IN = join(process.cwd(), 'lib/triage/variants.yaml')

/** The built-in table, with variants of `file` in place of those of the same name, and after the others. Throws CONFIG_INVALID. */
export function loadVariants(file?: string): Variants {
  const builtIn = readFile(BUILT_IN)
  return file === undefined ? builtIn : new Map([...builtIn, ...readFile(file)])
}

/** A job's value of a variant; undefined where its name says none. */
export function variantOf(variants: Variants, name: string, job: string): string | undefined {
  return variants.get(name)?.find((each) => each.job.test(job))?.value
}

/** Throws an Error whose message names the first fault. */
export function parseVariants(text: string): Variants {
  const parsed = File.safeParse(parse(text))
  if (parsed.success) return new Map(Object.entries(parsed.data.variants))
  const issue = parsed.error.issues[0]
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
}

function readFile(file: string): Variants {
  try {
    return parseVariants(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new ProwlError('CONFIG_INVALID', `PROWL_VARIANTS: ${file}: ${reason}; correct the file`, { cause })
  }
}

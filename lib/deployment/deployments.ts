import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { ProwlError } from '../errors.ts'
import { Tracker } from './trackers.ts'

const Host = z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host name such as prow.k8s.io')
const Name = z.string().regex(/^[\w.-]+$/, 'must be a bucket name')

const Deployment = z.strictObject({
  name: z.string().min(1),
  deck: Host.optional(),
  buckets: z.array(Name).min(1),
  renamed: z.record(Name, Name).default({}),
  storage: z.enum(['gs', 's3']).default('gs'),
  view: z.enum(['gs', 'gcs', 's3']).optional(),
  gcsweb: Host.optional(),
  lens: z.number().int().min(0).default(1),
  index: z.boolean().default(false),
})
const File = z.strictObject({ deployments: z.array(Deployment).default([]), trackers: z.array(Tracker).default([]) })

/** One Prow installation: where the runs of its buckets are shown. Hosts are absent where it has none. */
export type Deployment = z.infer<typeof Deployment>

// Beside this file in the source tree; a bundle has no other way to find it.
const BUILT_IN = join(process.cwd(), 'lib/deployment/deployments.yaml')

/** The built-in table, with entries of `file` in place of those of the same name and before the others. Throws CONFIG_INVALID. */
export function loadDeployments(file?: string): readonly Deployment[] {
  return united(file, ({ deployments }) => deployments)
}

/** Of the same files, by the same rule. */
export function loadTrackers(file?: string): readonly Tracker[] {
  return united(file, ({ trackers }) => trackers)
}

function united<T extends { readonly name: string }>(
  file: string | undefined,
  take: (content: z.infer<typeof File>) => readonly T[],
): readonly T[] {
  const builtIn = take(readFile(BUILT_IN))
  if (file === undefined) return builtIn
  const own = take(readFile(file))
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...builtIn.filter(({ name }) => !names.has(name))]
}

/** By its name, in any case. Throws CONFIG_INVALID that lists those there are. */
export function deploymentNamed(deployments: readonly Deployment[], name: string): Deployment {
  const found = deployments.find((each) => each.name.toLowerCase() === name.toLowerCase())
  if (found) return found
  const names = deployments.map((each) => each.name.toLowerCase()).join(', ')
  throw new ProwlError('CONFIG_INVALID', `--preset ${name}: no such deployment; there are ${names}`)
}

/** The one that shows a bucket, by the bucket's name without scheme. */
export function deploymentOf(deployments: readonly Deployment[], bucket: string): Deployment | undefined {
  return deployments.find(({ buckets }) => buckets.includes(bucket))
}

/** The bucket that holds a deployment's objects now, with its scheme. */
export function bucketOf({ buckets: [first = ''], renamed, storage }: Deployment): string {
  return `${storage}://${renamed[first] ?? first}`
}

function readFile(file: string): z.infer<typeof File> {
  try {
    return parseFile(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new ProwlError('CONFIG_INVALID', `PROWL_DEPLOYMENTS: ${file}: ${reason}; correct the file`, { cause })
  }
}

/** Throws an Error whose message names the first fault. */
export function parseDeployments(text: string): readonly Deployment[] {
  return parseFile(text).deployments
}

function parseFile(text: string): z.infer<typeof File> {
  const parsed = File.safeParse(parse(text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
}

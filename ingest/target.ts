import { bucketOf, type Deployment, deploymentNamed, deploymentOf } from '#lib/deployment/deployments.ts'
import { ProwlError } from '#lib/errors.ts'
import type { Wanted } from './discover/resolve.ts'

/** Which bucket is read, and who tells of its runs. */
export interface Target {
  /** `gs://name`, or a directory. */
  readonly bucket: string
  /** Address of the Deck that is asked for its runs; absent: none is. */
  readonly deck?: string
  /** The bucket holds an index of finished runs. */
  readonly index: boolean
  /** Other names of the bucket, in addresses and pointers. */
  readonly aliases: readonly string[]
}

export interface TargetFlags {
  readonly bucket?: string | undefined
  readonly preset?: string | undefined
  readonly deck?: string | undefined
}

/**
 * A preset gives bucket and Deck; a bucket alone is read without asking anybody else. A run's address names its bucket,
 * where nothing else does. Throws CONFIG_INVALID.
 */
export function targetOf(flags: TargetFlags, deployments: readonly Deployment[], wanted?: Wanted): Target {
  const preset = flags.preset === undefined ? undefined : deploymentNamed(deployments, flags.preset)
  const bucket = flags.bucket ?? (preset ? bucketOf(preset) : addressedBucket(deployments, wanted))
  if (bucket === undefined)
    throw new ProwlError('CONFIG_INVALID', 'no bucket: give --bucket gs://name, a directory, or --preset; see --help')
  const name = /^gs:\/\/([^/]+)\/?$/.exec(bucket)?.[1]
  const deployment = preset ?? (name === undefined ? undefined : deploymentOf(deployments, name))
  const deck = flags.deck ?? preset?.deck
  return {
    bucket,
    ...(deck === undefined ? {} : { deck: deckAddress(deck) }),
    index: deployment?.index ?? false,
    aliases: deployment?.buckets ?? [],
  }
}

function addressedBucket(deployments: readonly Deployment[], wanted: Wanted | undefined): string | undefined {
  if (wanted?.bucket === undefined) return undefined
  const deployment = deploymentOf(deployments, wanted.bucket)
  return `${deployment?.storage ?? 'gs'}://${deployment?.renamed[wanted.bucket] ?? wanted.bucket}`
}

function deckAddress(deck: string): string {
  const url = URL.parse(/^https?:\/\//.test(deck) ? deck : `https://${deck}`)
  if (url && url.pathname === '/' && url.search === '' && url.username === '') return url.origin
  throw new ProwlError('CONFIG_INVALID', `--deck: ${deck}: no host of a Deck; give one such as prow.k8s.io`)
}

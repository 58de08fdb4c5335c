import { isProwlError } from '#lib/errors.ts'
import { readText } from '../read/read-text.ts'
import type { ObjectInfo, Source } from '../source/source.ts'
import type { Numbered, Search } from './job-runs.ts'
import { parseRunPath, type RunPath } from './run-path.ts'

const MAX_POINTER = 4096

/**
 * Presubmits of a job through `pr-logs/directory/<job>/<id>.txt`: each holds `gs://<bucket>/<path>`, and its metadata
 * the same (pkg/pod-utils/gcs). The bucket's name is passed over, as buckets get renamed.
 */
export function pointersOf(job: string, search: Search): Numbered {
  const prefix = `pr-logs/directory/${job}/`
  return {
    prefix,
    entries: ({ objects }) =>
      objects.flatMap((info) => {
        const id = /^(\d{1,20})\.txt$/.exec(info.name.slice(prefix.length))?.[1]
        return id === undefined ? [] : { id, info }
      }),
    run: async ({ id, info }) => {
      const link = info && (await target(info, search))
      return link === undefined ? undefined : runOf(link, job, id)
    },
  }
}

/** Where the pointer of one presubmit run leads; undefined where there is none, or it leads to no run of that name. */
export async function pointerTarget(
  source: Source,
  job: string,
  buildId: string,
  signal?: AbortSignal,
): Promise<RunPath | undefined> {
  const info = await source.stat(`pr-logs/directory/${job}/${buildId}.txt`)
  return info && runOf(linkOf(info) ?? (await readText(source, info, MAX_POINTER, signal)), job, buildId)
}

/** Read once: a pointer stays as it is. */
async function target(info: ObjectInfo, { source, scope, listings, memory }: Search): Promise<string | undefined> {
  const told = linkOf(info) ?? memory.links.get(info.name)
  if (told !== undefined) return told
  try {
    const link = await readText(source, info, MAX_POINTER, scope.signal)
    memory.links.set(info.name, link)
    return link
  } catch (error) {
    if (!isProwlError(error) || !error.code.startsWith('OBJECT_')) throw error
    if (error.code !== 'OBJECT_NOT_FOUND') listings.gaps.push(error.message)
    return undefined
  }
}

function linkOf({ metadata }: ObjectInfo): string | undefined {
  return metadata?.['x-goog-meta-link'] ?? metadata?.link
}

function runOf(link: string, job: string, buildId: string): RunPath | undefined {
  const at = link.indexOf('pr-logs/pull/')
  const run = at < 0 ? undefined : parseRunPath(link.slice(at).trim().replace(/\/+$/, ''))
  return run?.job === job && run.buildId === buildId ? run : undefined
}

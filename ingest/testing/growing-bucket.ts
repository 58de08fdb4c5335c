import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { snowflakeAt } from '#lib/model/build-id.ts'
import type { FakeGcs } from '#lib/testing/fake-gcs.ts'
import { type Random, random } from '#lib/testing/sample/random.ts'

export interface Growth {
  readonly seed: number
  readonly runs: number
  /** Between one run and the next, ms. */
  readonly everyMs: number
}

const HOUR = 3_600_000
const JOBS = ['periodic-e2e-aws', 'periodic-e2e-gcp', 'release-upgrade']

/**
 * A bucket that grows while it is read: runs that are pending at first, runs that are uploaded twice (ABORTED, then the
 * real one), presubmits with their pointers, gzip with its label and without. Gives the number of objects written.
 */
export async function growBucket(
  gcs: FakeGcs,
  bucket: string,
  { seed, runs, everyMs }: Growth,
  onPut: (name: string, bytes: Uint8Array) => void = () => {},
): Promise<number> {
  const now = Date.now()
  let objects = 0
  const late: Promise<void>[] = []
  const put = async (files: Files) => {
    for (const [name, content] of Object.entries(files)) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      await gcs.upload(bucket, { name, bytes, ...(name.endsWith('labelled.log') ? { contentEncoding: 'gzip' } : {}) })
      onPut(name, bytes)
      objects++
    }
  }
  for (let at = 0; at < runs; at++) {
    const draws = random('soak', seed, at)
    const { first, second } = uploads(draws, now - 6 * HOUR + at * 1000)
    await put(first)
    if (second) late.push(sleep(everyMs * draws.int(1, 4)).then(() => put(second)))
    await sleep(everyMs)
  }
  await Promise.all(late)
  return objects
}

type Files = Readonly<Record<string, string | Uint8Array>>

/** What is uploaded of one run, in Prow's order: artifacts, build log, finished.json. */
function uploads(draws: Random, began: number): { first: Files; second?: Files } {
  const job = draws.pick(JOBS)
  const id = snowflakeAt(began + draws.int(0, 900))
  const isPull = draws.chance(0.3)
  const path = isPull ? `pr-logs/pull/org_repo/${draws.int(1, 99)}/pull-${job}/${id}` : `logs/${job}/${id}`
  const pointer: Files = isPull ? { [`pr-logs/directory/pull-${job}/${id}.txt`]: `gs://bucket/${path}` } : {}
  const started: Files = { ...pointer, [`${path}/started.json`]: json({ timestamp: began / 1000 }) }
  const result = draws.chance(0.5) ? 'FAILURE' : 'SUCCESS'
  const ended = (word: string, seconds: number): Files => ({
    [`${path}/artifacts/e2e/container-logs/lease.log`]: gzipSync(leaseLog(draws)),
    [`${path}/artifacts/e2e/gather/build-log.txt`]: log(draws, 500),
    [`${path}/build-log.txt`]: draws.chance(0.5) ? log(draws, 3000) : gzipSync(log(draws, 3000)),
    [`${path}/finished.json`]: json({ timestamp: began / 1000 + seconds, result: word, passed: word === 'SUCCESS' }),
  })
  if (draws.chance(0.25)) return { first: started, second: ended(result, 900) }
  if (draws.chance(0.15)) return { first: { ...started, ...ended('ABORTED', 600) }, second: ended(result, 900) }
  return { first: { ...started, ...ended(result, 900) } }
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

function log(draws: Random, lines: number): string {
  const text = Array.from({ length: lines }, (_, at) => `line ${at} ${draws.hex(24)}`)
  if (draws.chance(0.3)) text[draws.int(0, lines - 1)] = heartbeat(draws, 'EOF')
  return `${text.join('\n')}\n`
}

function leaseLog(draws: Random): string {
  const resource = draws.uuid()
  const beats = Array.from({ length: 40 }, () => `heartbeat sent for resource "${resource}"`)
  if (draws.chance(0.4)) beats.push(heartbeat(draws, 'dial tcp 172.30.131.17:80: connect: no route to host', resource))
  return `${beats.join('\n')}\n`
}

function heartbeat(draws: Random, cause: string, resource = draws.uuid()): string {
  return `failed to send heartbeat for resource "${resource}": Post http://boskos.ci/update?name=${resource}&owner=ci-op-${draws.name(8)}&state=leased: ${cause}`
}

import { createWriteStream, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { CATASTROPHES } from '#lib/search/testing/catastrophes.ts'
import { type Random, random } from '#lib/testing/sample/random.ts'
import { isObeyed } from '#lib/text/printable.ts'
import { HOSTILE, HOSTILE_LINES, HOSTILE_NAMES } from './texts.ts'

export interface HostileBucket {
  readonly dir: string
  /** A file beside the bucket that links and entities point at; no answer may hold it. */
  readonly secret: string
  /** Asked by whoever follows an address that an object names. */
  readonly canary: string
  /** Runs of random bytes, and the decoded bytes of what is large. */
  readonly fuzzed: number
  readonly bombBytes: number
  readonly lineBytes: number
  readonly tinyLines: number
}

type Files = Readonly<Record<string, string | Uint8Array>>

const MINUTE = 60_000
const DEEP = `${'{"a":['.repeat(200_000)}1`
const JUNIT = 'artifacts/e2e/junit_1.xml'

/** A directory bucket of runs that mean harm. Gives how many have names that Prow may give. */
export async function writeHostileBucket(bucket: HostileBucket, now: number): Promise<number> {
  const at = times(now)
  let runs = 0
  const put = (job: string, files: Files, path = `logs/${job}`) => {
    const ended = at()
    write(join(bucket.dir, path, snowflakeAt(ended - 5 * MINUTE)), { ...ending(ended), ...files })
    if (!isObeyed(path)) runs++
  }
  const draws = random('hostile')
  for (let turn = 0; turn < bucket.fuzzed; turn++) put('fuzzed', fuzzed(draws, at()))
  for (const [name, files] of Object.entries(documents())) put(name, files)
  for (const [name, xml] of Object.entries(junit(bucket))) put(`junit-${name}`, { [JUNIT]: xml })
  for (const name of HOSTILE_NAMES) {
    const log = { 'build-log.txt': hostileLog(), [`artifacts/${name}/${name}/build-log.txt`]: hostileLog() }
    put(name, { ...log, [JUNIT]: hostileJunit(name), [`artifacts/junit_${name.slice(0, 99)}.xml`]: hostileJunit(name) })
    put(name, log, `pr-logs/pull/${name.slice(0, 99)}_${name.slice(0, 99)}/7/${name}`)
  }
  put('catastrophes', { 'build-log.txt': `${CATASTROPHES.map(({ line }) => line).join('\n')}\n` })
  put('links', { 'build-log.txt': 'text\n', 'artifacts/a/b/x': '' })
  for (const id of readdirSync(join(bucket.dir, 'logs/links')))
    symlinkSync(bucket.secret, join(bucket.dir, 'logs/links', id, 'artifacts/a/b/build-log.txt'))
  symlinkSync(dirname(bucket.secret), join(bucket.dir, 'logs/outside'))
  await putLarge(bucket, put)
  return runs
}

/** Of each run another moment. */
function times(now: number): () => number {
  let made = 0
  return () => now - ++made * MINUTE
}

function ending(at: number): Files {
  const seconds = Math.floor(at / 1000)
  return {
    'started.json': JSON.stringify({ timestamp: seconds - 300, pull: HOSTILE.markup }),
    'finished.json': JSON.stringify({ timestamp: seconds, passed: false, result: 'FAILURE' }),
    'prowjob.json': JSON.stringify({
      spec: { cluster: HOSTILE.markup + HOSTILE.terminal, refs: { org: HOSTILE.attribute, repo: HOSTILE.terminal } },
      status: { state: 'failure', description: HOSTILE_LINES.join(' ') },
    }),
  }
}

/** Random bytes, and whole objects with some of their bytes others. */
function fuzzed(draws: Random, at: number): Files {
  const bytes = (length: number) => Uint8Array.from({ length }, () => draws.int(0, 255))
  const harmed = (text: string | Uint8Array) => {
    const copy = Buffer.from(text)
    for (let hit = 0; hit < 4; hit++) copy[draws.int(0, copy.length - 1)] = draws.int(0, 255)
    return copy
  }
  const whole = Object.entries({ ...ending(at), 'build-log.txt': hostileLog(), [JUNIT]: hostileJunit('x') })
  const names = ['podinfo.json', 'clone-records.json', 'clone-log.txt', 'artifacts/a/b/build-log.txt']
  return {
    ...Object.fromEntries(whole.map(([name, text]) => [name, draws.chance(0.8) ? harmed(text) : bytes(5_000)])),
    ...Object.fromEntries(names.map((name) => [name, bytes(draws.int(0, 9_000))])),
  }
}

function documents(): Readonly<Record<string, Files>> {
  const wrong = JSON.stringify({ timestamp: [[]], passed: 'yes', result: { toString: 1 }, metadata: null })
  return {
    deep: { 'prowjob.json': DEEP, 'podinfo.json': DEEP, 'clone-records.json': '['.repeat(1_000_000) },
    wrong: { 'finished.json': wrong, 'prowjob.json': '[1,2]', 'podinfo.json': '"text"', 'started.json': 'null' },
    prototypes: { 'prowjob.json': '{"__proto__":{"polluted":1},"spec":{"constructor":{"prototype":{"polluted":1}}}}' },
    'no-log': {},
    'only-escapes': { 'build-log.txt': `${'\u001b['.repeat(100_000)}\n${'\u001b]'.repeat(100_000)}\n` },
  }
}

function junit({ secret, canary }: HostileBucket): Readonly<Record<string, string>> {
  const failing = (text: string) =>
    `<testsuite name="s"><testcase name="needle"><failure message="m">needle ${text}</failure></testcase></testsuite>`
  const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  return {
    bomb: `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>${failing('&l30;')}`,
    'one-long-entity': `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100_000)}">]>${failing('&a;'.repeat(100_000))}`,
    file: `<!DOCTYPE x [<!ENTITY f SYSTEM "file://${secret}">]>${failing('&f;')}`,
    server: `<!DOCTYPE x SYSTEM "${canary}/dtd" [<!ENTITY % p SYSTEM "${canary}/entity">%p;]>${failing('&p;')}`,
    include: `<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file://${secret}" parse="text"/></x>`,
    deep: '<a>'.repeat(500_000),
    attributes: `<a ${Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
    'long-attribute': failing('x').replace('"m"', `"${'m'.repeat(5_000_000)}"`),
    cut: hostileJunit('cut').slice(0, -40),
  }
}

function hostileJunit(name: string): string {
  const escaped = (text: string) => text.replace(/[<&"'\p{Cc}]/gu, (char) => `&#${char.codePointAt(0)};`)
  const text = HOSTILE_LINES.map(escaped).join('\n')
  return `<testsuite name="${escaped(name)}"><testcase name="${escaped(name + HOSTILE.markup)}"><failure message="${text}">${text}</failure></testcase></testsuite>`
}

function hostileLog(): string {
  return `${HOSTILE_LINES.join('\n')}\n`
}

/** Made bit by bit: the whole is never in memory. */
async function putLarge(
  { dir, bombBytes, lineBytes, tinyLines }: HostileBucket,
  put: (job: string, files: Files) => void,
) {
  for (const job of ['gzip-bomb', 'long-line', 'tiny-lines']) put(job, { 'build-log.txt': '' })
  const log = (job: string) => {
    const [id = ''] = readdirSync(join(dir, 'logs', job))
    return join(dir, 'logs', job, id, 'build-log.txt')
  }
  await pipeline(Readable.from(zeros(bombBytes)), createGzip({ level: 1 }), createWriteStream(log('gzip-bomb')))
  await pipeline(Readable.from(oneLine(lineBytes)), createWriteStream(log('long-line')))
  await pipeline(Readable.from(linesOfOne(tinyLines)), createWriteStream(log('tiny-lines')))
}

function* zeros(bytes: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(1024 * 1024)
  for (let left = bytes; left > 0; left -= piece.length) yield piece
}

function* oneLine(bytes: number): Generator<Uint8Array> {
  yield Buffer.from('needle ')
  const piece = Buffer.from('<prowl-x onload=alert(1)> \u001b[31m '.repeat(30_000))
  for (let left = bytes; left > 0; left -= piece.length) yield piece
}

function* linesOfOne(lines: number): Generator<Uint8Array> {
  const piece = Buffer.from('x\n'.repeat(100_000))
  for (let left = lines; left > 0; left -= 100_000) yield piece
}

function write(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

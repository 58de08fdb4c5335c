import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RE2JS } from 're2js'
import { compile } from '#lib/regex/compile.ts'
import { type Random, random } from '#lib/testing/sample/random.ts'
import { matchText } from '#lib/text/match-text.ts'
import { logText } from './corpus/log-text.ts'
import { planDay } from './corpus/plan.ts'
import { isSampled, PATTERNS } from './patterns.ts'
import { openProwl } from './prowl.ts'
import { runChild } from './run-child.ts'

const BYTES = 256 * 1024
const SPOILT_SHARE = 0.5
/**
 * One line in so many is longer than 64 KiB, where prowl cuts lines in windows. Its text lies within one of them: a match
 * over 4 KiB that lies across windows may be missed, as docs/query-syntax.md says.
 */
const LONG_EVERY = 100
const SHORT_BYTES = 1000
const LONG_BYTES = 70_000
const NEWLINE = 0x0a

type Spoil = (line: Buffer, rng: Random) => Buffer

/** What terminals, broken pipes and old tools leave in logs. */
const SPOILS: readonly Spoil[] = [
  (line) => Buffer.concat([Buffer.from('\u001b[36mINFO\u001b[0m '), line]),
  (line, rng) => inserted(line, rng, '\u001b[1;31m'),
  (line, rng) => inserted(line, rng, '\u001b]8;;https://example.org\u0007'),
  (line) => Buffer.concat([line, Buffer.from('\r')]),
  (line, rng) => inserted(line, rng, ' 10%\r 20%\r'),
  (line, rng) => inserted(line, rng, Buffer.from([0xc3, 0x28, 0xff])),
  (line, rng) => inserted(line, rng, '\u0000'),
  (line, rng) => inserted(line, rng, '\u2028ſ\u212a😀'),
]

/** Counts every sampled pattern in a dirty corpus, by prowl and line by line with re2js. What differs, in words. */
export async function checkDirty(dir: string, seed: number, tell: (text: string) => void): Promise<string[]> {
  const root = join(dir, 'dirty')
  const [bucket, dataDir] = [join(root, 'bucket'), join(root, 'data')]
  rmSync(root, { recursive: true, force: true })
  const lines = writeDirty(bucket, seed)
  await runChild({ do: 'ingest', bucket, dataDir, signatureDirs: [] })
  const prowl = await openProwl(dataDir)
  const patterns = PATTERNS.filter(isSampled)
  tell(`dirty: ${patterns.length} patterns over ${lines.length} lines`)
  try {
    const faults: string[] = []
    for (const { name, pattern } of patterns) {
      const theirs = bruteForce(pattern, lines)
      const { lines: counts, partial } = await prowl.count([pattern])
      if (counts[0] !== theirs || partial.length > 0)
        faults.push(
          `${name} (${pattern}), dirty: brute force ${theirs}, by prowl ${[counts[0], ...partial].join(', ')}`,
        )
    }
    return faults
  } finally {
    await prowl.close()
  }
}

/** Writes runs of spoilt logs; their lines, as text to match. */
function writeDirty(bucket: string, seed: number): string[] {
  const rng = random(seed, 'dirty')
  const spoil = (text: string, index: number) => {
    const line = rng.chance(SPOILT_SHARE) ? rng.pick(SPOILS)(Buffer.from(text), rng) : Buffer.from(text)
    const long = index % LONG_EVERY === LONG_EVERY - 1 && line.length < SHORT_BYTES
    return long ? Buffer.concat([Buffer.alloc(LONG_BYTES, ' - '), line]) : line
  }
  for (const plan of planDay(seed, 0, BYTES)) {
    const text = [...logText(seed, plan)].join('')
    const run = join(bucket, 'logs', 'dirty', String(plan.index + 1))
    const finished = { timestamp: Math.floor(plan.start / 1000), result: 'FAILURE', passed: false }
    mkdirSync(run, { recursive: true })
    writeFileSync(join(run, 'finished.json'), JSON.stringify(finished))
    writeFileSync(join(run, 'build-log.txt'), joined(text.trimEnd().split('\n').map(spoil)))
  }
  return readdirSync(bucket, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('build-log.txt'))
    .flatMap((name) => linesOf(readFileSync(join(bucket, name))))
}

/** By re2js, since prowl matches by V8. */
function bruteForce(pattern: string, lines: readonly string[]): number {
  const re2 = RE2JS.compile(pattern, compile(pattern, { smartCase: true }).foldsCase ? RE2JS.CASE_INSENSITIVE : 0)
  return lines.filter((line) => re2.matcher(line).find()).length
}

function linesOf(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    const line = bytes.subarray(from, end === -1 ? bytes.length : end)
    lines.push(matchText(line, false))
    from += line.length + 1
  }
  return lines
}

function inserted(line: Buffer, rng: Random, what: string | Buffer): Buffer {
  const at = rng.int(0, line.length)
  return Buffer.concat([line.subarray(0, at), Buffer.from(what), line.subarray(at)])
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
}

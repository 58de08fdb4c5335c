import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'prowl-ingest-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

/** The files of a finished run; times are epoch ms. */
export function finishedRun(
  path: string,
  { at, result = 'SUCCESS', files = {} }: { at: number; result?: string; files?: Files },
): Files {
  const seconds = Math.floor(at / 1000)
  const own: Files = {
    'started.json': JSON.stringify({ timestamp: seconds - 600 }),
    'finished.json': JSON.stringify({ timestamp: seconds, passed: result === 'SUCCESS', result }),
    'build-log.txt': `started\nended with ${result}\n`,
    ...files,
  }
  return Object.fromEntries(Object.entries(own).map(([name, content]) => [`${path}/${name}`, content]))
}

export function gzipCut(text: string, share: number): Uint8Array {
  const whole = gzipSync(text)
  return whole.subarray(0, Math.floor(whole.length * share))
}

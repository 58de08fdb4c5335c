import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runFiles } from './files.ts'
import { unzipped } from './readable.ts'
import { schedule } from './schedule.ts'

const runs = schedule(1750890, Date.UTC(2026, 10, 30, 12))

describe('odd objects', () => {
  const of = (shape: string) => {
    const run = runs.find((candidate) => candidate.shape === shape)
    if (!run) throw new Error(`no run of shape ${shape}`)
    return new Map(runFiles(run).map(({ name, bytes }) => [name, bytes]))
  }

  test('pending and lost runs have no finished.json', () => {
    expect(of('pending').has('finished.json')).toBe(false)
    expect(of('lost').has('finished.json')).toBe(false)
    expect(of('lost').has('build-log.txt')).toBe(true)
  })

  test('a run that died before logging is prowjob.json and podinfo.json, finished by crier at most', () => {
    expect([...of('only-prowjob').keys()].sort()).toEqual(['podinfo.json', 'prowjob.json'])
    expect([...of('died-before-logging').keys()].sort()).toEqual(['finished.json', 'podinfo.json', 'prowjob.json'])
    const finished = of('died-before-logging').get('finished.json')?.toString()
    expect(finished).toContain('\n\t"result": "error"')
  })

  test('finished.json without time, with null, and cut short', () => {
    expect(Object.keys(JSON.parse(String(of('finished-without-time').get('finished.json'))))).not.toContain('timestamp')
    expect(JSON.parse(String(of('passed-null').get('finished.json'))).passed).toBeNull()
    expect(() => JSON.parse(String(of('finished-not-json').get('finished.json')))).toThrow(SyntaxError)
  })

  test("crier's placeholder is indented with tabs", () => {
    expect(String(of('crier-aborted').get('started.json'))).toContain('\n\t"timestamp"')
    expect(JSON.parse(String(of('crier-aborted').get('finished.json'))).result).toBe('aborted')
  })

  test('an empty, a missing, a cut, a container-wise and a failed-clone build-log.txt', () => {
    expect(of('empty-build-log').get('build-log.txt')).toHaveLength(0)
    expect(of('no-build-log').has('build-log.txt')).toBe(false)
    expect(() => gunzipSync(of('truncated-gzip').get('build-log.txt') ?? '')).toThrow()
    expect([...of('container-build-logs').keys()]).toEqual(expect.arrayContaining(['test-build-log.txt']))
    expect(of('container-build-logs').has('build-log.txt')).toBe(false)
    expect(of('clone-failed').get('build-log.txt')).toEqual(of('clone-failed').get('clone-log.txt'))
  })

  test('invalid UTF-8, NUL and a line of over 64 KiB', () => {
    const bytes = unzipped(of('raw-bytes').get('build-log.txt') ?? Buffer.alloc(0))
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError)
    expect(bytes.includes(0)).toBe(true)
    expect(
      Math.max(
        ...bytes
          .toString('latin1')
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeGreaterThan(65_536)
  })
})

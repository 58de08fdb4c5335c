import { readFileSync } from 'node:fs'
import { max, mean } from 'd3-array'

/** Of a web app that readers ask, as docs/operations.md advises: with none V8 takes what the machine has before it collects. */
export const SERVED_HEAP_MIB = 512

export interface Sample {
  readonly minutes: number
  readonly mib: number
}

export interface MemoryFigures {
  /** MiB a minute, of the last two thirds: what is made once is made by then. */
  readonly slope: number
  readonly last: number
  readonly most: number
}

/** Resident memory of a process, MiB: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib ?? Number.NaN) / 1024
}

/** By least squares. */
export function memoryFigures(samples: readonly Sample[]): MemoryFigures {
  const late = samples.slice(Math.floor(samples.length / 3))
  const [x, y] = [mean(late, ({ minutes }) => minutes) ?? 0, mean(late, ({ mib }) => mib) ?? 0]
  const spread = late.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0)
  const along = late.reduce((sum, { minutes, mib }) => sum + (minutes - x) * (mib - y), 0)
  return {
    slope: spread === 0 ? 0 : along / spread,
    last: samples.at(-1)?.mib ?? 0,
    most: max(samples, ({ mib }) => mib) ?? 0,
  }
}

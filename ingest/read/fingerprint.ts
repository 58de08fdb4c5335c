import { createHash } from 'node:crypto'
import type { ObjectInfo } from '../source/source.ts'
import type { Selection } from './select-logs.ts'

/**
 * Says which objects at which generations a run was read from, and by which settings: three hashes, of the settings, of
 * what lies right below the run, and of the logs read.
 */
export interface Fingerprint {
  readonly settings: string
  readonly top: string
  readonly logs: string
}

export function printFingerprint({ settings, top, logs }: Fingerprint): string {
  return `${settings}.${top}.${logs}`
}

export function parseFingerprint(text: string): Fingerprint {
  const [settings = '', top = '', logs = ''] = text.split('.')
  return { settings, top, logs }
}

export function hashTop({ top, topDirectories }: Selection): string {
  return hash([...[...top.entries()].map(generationOf), ...topDirectories])
}

export function hashLogs(logs: ReadonlyMap<string, ObjectInfo>): string {
  return hash([...logs.entries()].map(generationOf))
}

export function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

function generationOf([name, info]: readonly [string, ObjectInfo]): string {
  return `${name}\n${info.generation}`
}

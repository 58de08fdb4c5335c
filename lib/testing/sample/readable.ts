import { stripVTControlCharacters } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { SampleObject } from './files.ts'

/** Names of the objects that a reader looks into. */
export const READ = /(?:build-log\.txt|lease\.log|ci-operator\.log|clone-log\.txt|\.xml|podinfo\.json|prowjob\.json)$/

/** An object's text as a reader takes it: gunzipped by content, colours gone, JSON lines and XML decoded. */
export function readText({ name, bytes }: SampleObject): string {
  const text = unzipped(bytes).toString('utf8')
  if (name.endsWith('ci-operator.log')) {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => String(JSON.parse(line).msg))
      .join('\n')
  }
  if (name.endsWith('.xml')) return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  if (name.endsWith('.json')) return text.replaceAll('\\"', '"')
  return stripVTControlCharacters(text).replaceAll('\r', ' ')
}

export function unzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return Buffer.alloc(0)
  }
}

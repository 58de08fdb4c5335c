import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ProwlError } from '../errors.ts'
import { Counts } from '../store/entry-counts.ts'

/** Of what a backup's directory holds; since 2, evidence too. Older ones are read for good. */
export const BACKUP_VERSION = 2
export const MANIFEST = 'manifest.json'
export const RECORDS = 'records.ndjson.zst'

/** Names lead nowhere out of the directory. */
const BackupFile = z.object({
  name: z
    .string()
    .regex(/^((?:catalogue|evidence)\.sqlite|days\/\d{4}-\d\d-\d\d-[0-9a-f]{12}\.sqlite|records\.ndjson\.zst)$/),
  bytes: z.number(),
  sha256: z.string(),
})
export type BackupFile = z.infer<typeof BackupFile>

/** `manifest.json`, written last. `files`: the embedded store's own; `records`: entries, a JSON line each. */
const Manifest = z.object({
  prowl: z.literal('backup'),
  version: z.literal([1, BACKUP_VERSION]),
  form: z.enum(['files', 'records']),
  /** Of the files. */
  layout: z.number().optional(),
  /** Epoch ms. */
  madeAt: z.number(),
  counts: Counts,
  files: z.array(BackupFile),
})
export type Manifest = z.infer<typeof Manifest>

/** Throws BACKUP_INVALID and BACKUP_NEWER. */
export async function readManifest(dir: string): Promise<Manifest> {
  const file = join(dir, MANIFEST)
  if (!existsSync(file)) throw invalid(dir, `has no ${MANIFEST}: it is no backup, or one that was cut off`)
  const json: unknown = await readFile(file, 'utf8')
    .then((text) => JSON.parse(text))
    .catch(() => undefined)
  const version = z.object({ prowl: z.literal('backup'), version: z.number() }).safeParse(json).data?.version
  if (version !== undefined && version > BACKUP_VERSION)
    throw new ProwlError('BACKUP_NEWER', `${dir} was written by a newer prowl; restore it with that one`)
  const parsed = Manifest.safeParse(json)
  if (!parsed.success) throw invalid(dir, `has a ${MANIFEST} that is damaged`)
  return parsed.data
}

export async function writeManifest(dir: string, manifest: Omit<Manifest, 'prowl' | 'version'>): Promise<void> {
  const whole: Manifest = { prowl: 'backup', version: BACKUP_VERSION, ...manifest }
  await writeFile(join(dir, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`)
  await toDisk(join(dir, MANIFEST))
}

export function invalid(dir: string, what: string): ProwlError {
  return new ProwlError('BACKUP_INVALID', `${dir} ${what}; give another backup, nothing was changed`)
}

/** What a file of this name holds, once it is on the disk. */
export async function describeFile(dir: string, name: string): Promise<BackupFile> {
  const file = join(dir, name)
  await toDisk(file)
  return { name, bytes: (await stat(file)).size, sha256: await hashOf(file) }
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Of a file or a directory: what a crash of the machine leaves. */
export async function toDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ProwlError } from '../../errors.ts'
import { Database } from './database.ts'

/** How long a writer that is ending may keep its successor waiting. */
const PATIENCE_MS = 500

/**
 * Makes the directory and takes its one writer's place, kept until `close`. It is a lock that the system holds for the
 * process (SQLite's own, on a file of its own), so it ends with the process however that ends.
 */
export function lockDirectory(dataDir: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (cause) {
    throw new ProwlError(
      'DATA_DIR_UNWRITABLE',
      `${dataDir} can not be made; name another data directory, or mend its permissions`,
      { cause },
    )
  }
  const lock = new Database(join(dataDir, 'writer.lock'), { timeoutMs: PATIENCE_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    if (cause instanceof ProwlError && cause.code !== 'STORE_FAILED') throw cause
    throw new ProwlError(
      'DATA_DIR_LOCKED',
      `another worker is writing to ${dataDir}; end it, or name another data directory`,
      { cause },
    )
  }
}

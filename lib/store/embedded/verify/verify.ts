import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isProwlError, ProwlError } from '../../../errors.ts'
import type { Evidence } from '../../../model/evidence.ts'
import type { Database } from '../database.ts'
import { DAYS_DIRECTORY, DayFiles } from '../day-files.ts'
import { CATALOGUE_FILE, EVIDENCE_FILE, openForReading } from '../layout.ts'
import { verifyCatalogue } from './catalogue.ts'
import { verifyDayFile } from './day-file.ts'
import type { Fault, Report } from './fault.ts'
import { type Findings, integrity, parsed } from './findings.ts'

export interface VerifyOptions {
  /** In bytes of the files. */
  readonly onProgress?: (done: number, total: number) => void
  /** What is wrong with an evidence that could be read; undefined where nothing is. */
  readonly evidenceFault?: (evidence: Evidence) => string | undefined
}

/**
 * Looks at everything that a data directory holds, by SQLite and by checksums: it only reads, and a worker and web servers
 * may go on meanwhile. Throws CONFIG_INVALID where there is nothing, DATA_DIR_NEWER and DATA_DIR_UNWRITABLE.
 */
export async function verifyDirectory(dataDir: string, options: VerifyOptions = {}): Promise<Report> {
  const faults: Fault[] = []
  const checked = { files: 0, runs: 0, hits: 0, blocks: 0, segments: 0, evidence: 0 }
  let leftovers = 0
  let total = sizeOf(join(dataDir, CATALOGUE_FILE)) + sizeOf(join(dataDir, EVIDENCE_FILE))
  let done = 0
  const findings: Findings = {
    fault: (fault) => faults.push(fault),
    count: (what, by = 1) => {
      checked[what] += by
    },
    leftover: (by) => {
      leftovers += by
    },
    step: async (bytes) => {
      done += bytes
      options.onProgress?.(Math.min(done, total), total)
      await new Promise(setImmediate)
    },
  }
  const catalogue = await opened(dataDir, CATALOGUE_FILE, findings)
  if (catalogue === 'missing')
    throw new ProwlError('CONFIG_INVALID', `${dataDir} holds nothing; name another with --data`)
  if (catalogue !== 'damaged') {
    const files = new DayFiles(catalogue, dataDir, false)
    try {
      total += files.size()
      await guarded(CATALOGUE_FILE, findings, () => verifyCatalogue(catalogue, findings))
      await findings.step(sizeOf(join(dataDir, CATALOGUE_FILE)))
      for (const file of files.list()) {
        const name = join(DAYS_DIRECTORY, file.name)
        await guarded(name, findings, () => verifyDayFile(catalogue, files, file, findings))
      }
    } finally {
      files.close()
      catalogue.close()
    }
  }
  const evidence = await opened(dataDir, EVIDENCE_FILE, findings)
  if (typeof evidence === 'object') {
    await guarded(EVIDENCE_FILE, findings, async () => verifyEvidence(evidence, findings, options))
    evidence.close()
  }
  await findings.step(sizeOf(join(dataDir, EVIDENCE_FILE)))
  return { faults, checked, leftovers }
}

async function opened(dataDir: string, name: string, findings: Findings): Promise<Database | 'missing' | 'damaged'> {
  let db: Database | undefined
  const isSound = await guarded(name, findings, async () => {
    db = openForReading(join(dataDir, name))
    if (!db) return
    findings.count('files')
    integrity(db, name, findings)
  })
  if (!db) return isSound ? 'missing' : 'damaged'
  return db
}

/** A file that can't be read further is a fault; whether it could. */
async function guarded(file: string, findings: Findings, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'STORE_CORRUPT') throw error
    findings.fault({ code: 'FILE_DAMAGED', file, detail: 'SQLite can not read it' })
    return false
  }
}

function verifyEvidence(db: Database, findings: Findings, { evidenceFault = () => undefined }: VerifyOptions): void {
  for (const { id } of db.all<{ id: string }>('SELECT id FROM evidence ORDER BY id')) {
    const row = db.get<{ record: string }>('SELECT record FROM evidence WHERE id = ?', id)
    const evidence = row && parsed<Evidence>(row.record)
    findings.count('evidence')
    const wrong = evidence?.id === id ? evidenceFault(evidence) : 'its record can not be read'
    if (wrong) findings.fault({ code: 'EVIDENCE_DAMAGED', file: EVIDENCE_FILE, detail: `evidence ${id}: ${wrong}` })
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

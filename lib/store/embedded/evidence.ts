import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ProwlError } from '../../errors.ts'
import type { Evidence } from '../../model/evidence.ts'
import { cutPage, evidenceKey } from '../record.ts'
import type { EvidenceFilter, Page, Paged } from '../store.ts'
import type { Database } from './database.ts'
import { afterRun, and, type Clause, clause } from './filter.ts'
import { EVIDENCE_FILE, openForReading, openForWriting, stampOf } from './layout.ts'
import { parsed, type RecordRow } from './runs.ts'

/** A directory's evidence: a file of its own, since web servers write to it while the worker holds the catalogue. */
export interface EvidenceFile {
  /** Undefined while nothing was frozen. */
  read(): Database | undefined
  write<T>(work: (db: Database) => T): T
  close(): void
}

/** Opened when it is needed, and anew where the directory was made anew. Who writes opens it for that moment. */
export function evidenceFile(dataDir: string): EvidenceFile {
  const file = join(dataDir, EVIDENCE_FILE)
  let current: { readonly db: Database | undefined; readonly stamp: string | undefined } | undefined
  const close = () => {
    current?.db?.close()
    current = undefined
  }
  return {
    read: () => {
      if (current?.db && current.stamp === stampOf(file, current.db)) return current.db
      close()
      const seen = stampOf(file)
      if (seen === undefined) return undefined
      const db = openForReading(file)
      current = { db, stamp: db?.isImmutable ? stampOf(file, db) : seen }
      return db
    },
    write: (work) => {
      const db = opened(dataDir, file)
      try {
        return db.transaction(() => work(db))
      } finally {
        db.close()
      }
    },
    close,
  }
}

/** Of a file that is open already, for reading. */
export function evidenceOf(db: Database | undefined): EvidenceFile {
  return {
    read: () => db,
    write: () => {
      throw new ProwlError('STORE_FAILED', 'these files are a copy of one moment; open the data directory')
    },
    close: () => {},
  }
}

function opened(dataDir: string, file: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (cause) {
    throw new ProwlError('DATA_DIR_UNWRITABLE', `${dataDir} can not be made; mend its permissions`, { cause })
  }
  return openForWriting(file, 'evidence')
}

export function putEvidence(file: EvidenceFile, evidence: Evidence): Evidence {
  return file.write((db) => {
    const kept = findEvidence(db, evidence.id)
    if (kept) return kept
    const { id, frozenAt, signatures, bugs } = evidence
    db.run('INSERT INTO evidence(id, frozen_at, record) VALUES (?, ?, ?)', id, frozenAt, JSON.stringify(evidence))
    for (const name of new Set(signatures)) db.run("INSERT INTO evidence_names VALUES ('signature', ?, ?)", name, id)
    for (const name of new Set(bugs)) db.run("INSERT INTO evidence_names VALUES ('bug', ?, ?)", name, id)
    return evidence
  })
}

export function findEvidence(db: Database | undefined, id: string): Evidence | undefined {
  const row = db?.get<RecordRow>('SELECT record FROM evidence WHERE id = ?', id)
  return row && JSON.parse(row.record)
}

export function listEvidence(db: Database | undefined, filter: EvidenceFilter, page: Page): Paged<Evidence> {
  const limit = Math.max(1, page.limit)
  const { sql, params } = and([
    afterRun(page.after, 'p'),
    named('signature', filter.signature),
    named('bug', filter.bug),
  ])
  const rows = db?.all<RecordRow>(
    `SELECT p.record FROM (SELECT frozen_at AS time, '' AS bucket, id AS path, record FROM evidence) p WHERE ${sql}
      ORDER BY p.time DESC, p.path LIMIT ?`,
    ...params,
    limit + 1,
  )
  return cutPage(parsed<Evidence>(rows ?? []), limit, evidenceKey)
}

export function countEvidence(db: Database | undefined): number {
  return db?.get<{ count: number }>('SELECT count(*) AS count FROM evidence')?.count ?? 0
}

function named(kind: 'signature' | 'bug', name: string | undefined): Clause | false {
  if (name === undefined) return false
  return clause('p.path IN (SELECT id FROM evidence_names WHERE kind = ? AND name = ?)', kind, name)
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const HERE = import.meta.dirname
const CACHE = join(HERE, '../../../node_modules/.cache/elasticsearch')
const CHECKSUMS = join(HERE, 'jars.sha256')
const MIN_JAVA = 21
/** Where systems keep their JDKs, and what leads from such a folder to a JDK's home. */
const JVM_FOLDERS = [
  ['/usr/lib/jvm', ''],
  ['/Library/Java/JavaVirtualMachines', 'Contents/Home'],
] as const

export interface Tools {
  /** Home of a JDK of 21 or later. */
  readonly jdk: string
  readonly maven: string
}

/** A JDK (JAVA_HOME, then the system's) and Maven (on PATH); undefined where either is missing. */
export function findTools(): Tools | undefined {
  const jdk = [process.env.JAVA_HOME ?? '', ...systemJdks()].find((home) => javaVersion(home) >= MIN_JAVA)
  const maven = (process.env.PATH ?? '')
    .split(delimiter)
    .map((dir) => join(dir, 'mvn'))
    .find(existsSync)
  return jdk && maven ? { jdk, maven } : undefined
}

function systemJdks(): string[] {
  return JVM_FOLDERS.flatMap(([folder, inner]) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, inner)) : [],
  )
}

/** Major version by the JDK's `release` file; 0 where it is none. */
function javaVersion(home: string): number {
  const release = join(home, 'release')
  if (!existsSync(join(home, 'bin', 'javac')) || !existsSync(release)) return 0
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] ?? 0)
}

/**
 * The class path of the test node: jars as Maven's default repository has them (40 MB, once), their checksums compared,
 * and our classes. Throws where a jar is not the one that was kept.
 */
export function classPath({ jdk, maven }: Tools): string {
  const jars = cached(['pom.xml', 'jars.sha256'], (dir) => {
    console.info("fetching Elasticsearch's jars: half a minute, once")
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${dir}`]
    execFileSync(maven, ['-q', '-B', '-f', join(HERE, 'pom.xml'), ...goal], { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  compareChecksums(jars, readFileSync(CHECKSUMS, 'utf8'))
  const sources = readdirSync(join(HERE, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join('src', name))
  const classes = cached(['pom.xml', ...sources], (dir) => {
    const files = sources.map((name) => join(HERE, name))
    execFileSync(join(jdk, 'bin', 'javac'), ['-nowarn', '-d', dir, '-cp', join(jars, '*'), ...files], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
  return [classes, join(jars, '*')].join(delimiter)
}

/** What `make` put into a folder for these files as they are now. Two processes may make it at once; one is kept. */
function cached(files: readonly string[], make: (dir: string) => void): string {
  const hash = createHash('sha256')
  for (const name of files.toSorted()) hash.update(`${name}\n`).update(readFileSync(join(HERE, name)))
  const kept = join(CACHE, hash.digest('hex').slice(0, 16))
  if (existsSync(kept)) return kept
  mkdirSync(CACHE, { recursive: true })
  const dir = mkdtempSync(join(CACHE, 'new-'))
  try {
    make(dir)
    renameSync(dir, kept)
  } catch (error) {
    rmSync(dir, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  return kept
}

/** Throws unless `dir` holds the files of the list (as `sha256sum` prints it), each with its checksum, and no others. */
export function compareChecksums(dir: string, list: string): void {
  const found = readdirSync(dir)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex')}  ${name}`,
    )
  const wanted = list.trimEnd().split('\n')
  const other = [...found.filter((line) => !wanted.includes(line)), ...wanted.filter((line) => !found.includes(line))]
  if (other.length > 0) throw new Error(`${dir}: not the jars that jars.sha256 lists; remove it: ${other.join(', ')}`)
}

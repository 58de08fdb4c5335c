import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Locked {
  readonly license?: string
  readonly integrity?: string
  /** Within the archive of the package above it, whose checksum covers it. */
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>
const { dependencies, devDependencies, optionalDependencies } = read('package.json')
const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }) as [string, string][]
const locked = Object.entries(read('package-lock.json').packages as Record<string, Locked>).filter(([path]) => path)

const ROW = /^\| (\S+) \| (.+) \| (.+) \| ([\d.]+) (kB|MB) \| (.+) \|$/gm
const rows = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(ROW)].map(
  ([, name = '', what = '', why = '', size, unit, licence]) => ({
    name,
    what,
    why,
    bytes: Number(size) * (unit === 'MB' ? 1e6 : 1e3),
    licence,
  }),
)

/** Each may be used and passed on with no more than its notice. */
const ALLOWED = new Set('MIT ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BSL-1.0 BlueOak-1.0.0'.split(' '))
/** As docs/dependencies.md gives reasons for. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^(@axe-core\/playwright|axe-core|lightningcss(-.+)?)$/, 'MPL-2.0'],
  [/^@img\/sharp-/, 'LGPL-3.0-or-later'],
  [/^caniuse-lite$/, 'CC-BY-4.0'],
]

/** Of `A AND B` both must be allowed, of `A OR B` one. */
function isAllowed(name: string, licence: string): boolean {
  const one = (id: string) => ALLOWED.has(id) || NAMED.some(([of, only]) => id === only && of.test(name))
  const all = (each: string) => each.split(' AND ').every((id) => one(id.replace(/[()]/g, '')))
  return licence.split(' OR ').some(all)
}

function sizeOf(dir: string): number {
  let bytes = 0
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'node_modules') bytes += sizeOf(join(dir, entry.name))
    if (entry.isFile()) bytes += statSync(join(dir, entry.name)).size
  }
  return bytes
}

test('each dependency has its line, and no other has one', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(named.map(([name]) => name).sort())
})

describe.each(rows)('$name', ({ name, what, why, bytes, licence }) => {
  test('says what it does, why it is the one, and its licence', () => {
    expect(what.trim().length).toBeGreaterThan(3)
    expect(why.trim().length).toBeGreaterThan(3)
    expect(licence).toBe(locked.find(([path]) => path === `node_modules/${name}`)?.[1].license)
  })
  const dir = join('node_modules', name)
  test.skipIf(!statSync(dir, { throwIfNoEntry: false }))('is as large as it says, by a half', () => {
    expect(sizeOf(dir) / bytes).toBeGreaterThan(0.67)
    expect(sizeOf(dir) / bytes).toBeLessThan(1.5)
  })
})

test.each<[string, string, boolean]>([
  ['x', 'MIT', true],
  ['x', 'Apache-2.0 AND BSL-1.0', true],
  ['x', '(MIT OR GPL-3.0-only)', true],
  ['x', 'MIT AND GPL-3.0-only', false],
  ['x', 'MPL-2.0', false],
  ['lightningcss-linux-x64-gnu', 'MPL-2.0', true],
  ['caniuse-lite', 'MPL-2.0', false],
  ['x', '', false],
])('a package %s under %s: %s', (name, licence, expected) => {
  expect(isAllowed(name, licence)).toBe(expected)
})

test('every package of the lock file is under an allowed licence', () => {
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const refused = locked.filter(([path, { license = '' }]) => !isAllowed(nameOf(path), license))
  expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

test('versions are exact, and what is fetched is checked', () => {
  expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const unchecked = locked.filter(([, { integrity = '', inBundle }]) => !inBundle && !integrity.startsWith('sha512-'))
  expect(unchecked.map(([path]) => path)).toEqual([])
})

test('no package runs a script on install', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  expect(scripts).toEqual([])
})

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  'app',
  'lib',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.js',
  'postcss.config.mjs',
  'package-lock.json',
]

/** Whether the built app is missing or older than a source file it was built from. */
export function needsBuild(root: string): boolean {
  const built = modified(join(root, '.next', 'BUILD_ID'))
  return built === undefined || SOURCES.some((source) => newest(join(root, source)) > built)
}

function modified(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat && !/\.test\.tsx?$/.test(path) ? stat.mtimeMs : 0
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

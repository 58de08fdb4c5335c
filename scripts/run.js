// Plain JavaScript that any Node can read: says in one line that Node is too old, instead of a syntax error.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [script] = process.argv.splice(2, 1)
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `prowl: NODE_TOO_OLD: this is Node ${process.versions.node}, and prowl needs 24 or newer: install it, or on Linux x64 or arm64 run npm ci without --omit=optional`,
  )
  process.exit(2)
}
if (!existsSync('node_modules/next')) {
  console.error('prowl: CONFIG_INVALID: the packages are not installed: run npm ci first')
  process.exit(2)
}
// Half of what a short command takes is compiling: kept for the next one, for its threads and for the processes it starts.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import(pathToFileURL(script ?? '').href)

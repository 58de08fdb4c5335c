#!/usr/bin/env node
// Plain JavaScript that any Node can read: goes on in the Node that npm ci installed where the machine's own is too old.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = realpathSync(fileURLToPath(import.meta.url))
const root = dirname(dirname(self))
const installed = join(root, 'node_modules', '.bin', 'node')
const isOld = Number(process.versions.node.split('.')[0]) < 24
// Files are named from where the command is called, and everything else lies in the checkout.
process.env.PROWL_CALLED_FROM ??= process.cwd()
process.chdir(root)
if (isOld && existsSync(installed)) {
  const { status } = spawnSync(installed, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(status ?? 2)
}
process.argv.splice(2, 0, 'scripts/prowl.ts')
await import('./run.js')

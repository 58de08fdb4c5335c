import { spawnSync } from 'node:child_process'

export const NO_PYTHON = 'no Python of 3.10 or later with venv is found'
const TRY = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'

/** A Python that can make environments; undefined: there is none. */
export function python(): string | undefined {
  return ['python3', 'python3.12', 'python3.11'].find((name) => spawnSync(name, ['-c', TRY]).status === 0)
}

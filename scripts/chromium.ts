import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { ProwlError } from '#lib/errors.ts'

export interface Browser {
  readonly path: string
  readonly from: string
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** A Chromium to test with: the system's, else Playwright's download, else Debian's package when root. Throws CHROMIUM_MISSING. */
export function findChromium(): Browser {
  return fromSettings() ?? fromSystem() ?? fromPlaywright() ?? fromDebian() ?? missing()
}

function fromSettings(): Browser | undefined {
  const path = process.env.CHROMIUM_PATH
  return path ? { path, from: 'CHROMIUM_PATH' } : undefined
}

function fromSystem(): Browser | undefined {
  const found = NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim()).find(Boolean)
  const path = found ?? MAC.find((file) => existsSync(file))
  return path ? { path, from: 'the system' } : undefined
}

function fromPlaywright(): Browser | undefined {
  const path = chromium.executablePath()
  if (!existsSync(path)) {
    console.log('No Chromium on this machine: trying Playwright’s download')
    spawnSync(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
      timeout: 180_000,
    })
  }
  return existsSync(path) ? { path, from: 'Playwright’s download' } : undefined
}

function fromDebian(): Browser | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing Debian’s chromium package')
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'inherit' })
  } catch {
    return undefined
  }
  const found = fromSystem()
  return found && { ...found, from: 'Debian’s package' }
}

function missing(): never {
  throw new ProwlError(
    'CHROMIUM_MISSING',
    'no Chromium or Chrome found or installable: install one, or set CHROMIUM_PATH',
  )
}

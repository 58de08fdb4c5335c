import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'

/** A directory that is a file system of its own, or behaves as if it were. */
export interface Disk {
  readonly dir: string
  /** Takes it away again, with what it holds. */
  close(): void
}

/** Makes a file system of so many KiB; undefined where this process may not. */
export function smallDisk(dir: string, kib: number): Disk | undefined {
  mkdirSync(dir, { recursive: true })
  return mounted(['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', dir]) ? { dir, close: () => unmount(dir) } : undefined
}

/** Makes a directory read-only until it is closed: by a mount, since root writes whatever the modes say. */
export function readOnly(dir: string): Disk | undefined {
  if (process.getuid?.() !== 0) {
    chmodSync(dir, 0o555)
    return { dir, close: () => chmodSync(dir, 0o755) }
  }
  if (!mounted(['--bind', dir, dir])) return undefined
  if (mounted(['-o', 'remount,bind,ro', dir])) return { dir, close: () => unmount(dir) }
  unmount(dir)
  return undefined
}

function mounted(args: readonly string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function unmount(dir: string): void {
  execFileSync('umount', ['-l', dir])
}

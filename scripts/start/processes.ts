import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

/** How a child ended: its exit status, or 1 when a signal ended it. */
export type Ended = Promise<number>

/** The script of Next, below the project. */
export const NEXT = 'node_modules/next/dist/bin/next'

const STDIO = {
  nothing: 'inherit',
  told: ['inherit', 'inherit', 'inherit', 'ipc'],
  stdout: ['ignore', 'pipe', 'inherit'],
  all: ['ignore', 'pipe', 'pipe'],
} satisfies Record<string, StdioOptions>

/** The processes of one `npm start`, ended together. */
export class Processes {
  readonly #children = new Set<ChildProcess>()
  stopping = false

  /**
   * Runs a script under this Node. What it is said to keep of its output is printed only when it fails; `onMessage` is
   * called with what it sends to its parent.
   */
  run(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    keep: 'nothing' | 'stdout' | 'all' = 'nothing',
    onMessage?: (message: unknown) => void,
  ): Ended {
    const child = spawn(process.execPath, args, { env, stdio: STDIO[onMessage ? 'told' : keep] })
    if (onMessage) child.on('message', onMessage)
    this.#children.add(child)
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        this.#children.delete(child)
        if (code !== 0 && !this.stopping) process.stderr.write(output)
        resolve(code ?? 1)
      })
    })
  }

  /** Asks every child to end, and kills what has not after the grace time (ms). */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true
    const closed = [...this.#children].map(
      (child) => new Promise<void>((resolve) => child.once('close', () => resolve())),
    )
    this.signal('SIGTERM')
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMs)
    await Promise.all(closed)
    clearTimeout(timer)
  }

  signal(name: NodeJS.Signals): void {
    for (const child of this.#children) child.kill(name)
  }
}

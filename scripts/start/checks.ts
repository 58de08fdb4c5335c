import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { ProwlError } from '#lib/errors.ts'

/** Makes the data directory and sees that it can be written. Throws DATA_DIR_UNWRITABLE. */
export function checkDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
    accessSync(dir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new ProwlError(
      'DATA_DIR_UNWRITABLE',
      `${dir} can't be written (${reason(cause)}): name another directory with --data or PROWL_DATA`,
      { cause },
    )
  }
}

/** The port to serve on: `port`, or a free one for 0. Throws PORT_IN_USE. */
export function freePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (cause) =>
      reject(
        new ProwlError(
          'PORT_IN_USE',
          `port ${port} can't be used (${reason(cause)}): name another with --port or PORT`,
          {
            cause,
          },
        ),
      ),
    )
    probe.listen(port, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}

function reason(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

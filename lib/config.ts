import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ProwlError } from './errors.ts'

/** The only reader of process.env: everything that can be set from outside, checked once. */
export interface Config {
  /** Where the embedded store, the sample bucket and generated changes live. */
  readonly dataDir: string
  /** Directories of signature files, in order: those that people review, then what the sample bucket generated. */
  readonly signatureDirs: readonly string[]
  /** A YAML file of deployments (docs/deployments.md); the built-in table where absent. */
  readonly deploymentsFile: string | undefined
  /** Address that people reach the app at, for links in copied text; absent: relative links. */
  readonly publicUrl: string | undefined
  readonly port: number
  readonly logLevel: string
  /** Where Google Cloud Storage answers, for an emulator or a mirror; absent: Google. */
  readonly gcsEndpoint: string | undefined
}

const Env = z.object({
  PROWL_DATA: z.string().min(1).optional(),
  PROWL_SIGNATURES: z.string().min(1).optional(),
  PROWL_DEPLOYMENTS: z.string().min(1).optional(),
  PROWL_URL: z.url().optional(),
  PROWL_GCS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  PROWL_LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
})

/** Reads and checks the environment; `data` overrides PROWL_DATA. Throws CONFIG_INVALID that names the variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env, root = process.cwd(), data?: string): Config {
  const parsed = Env.safeParse(env)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ProwlError(
      'CONFIG_INVALID',
      `${issue?.path.join('.')}: ${issue?.message}; set it right or leave it unset`,
    )
  }
  const e = parsed.data
  const dataDir = resolve(root, (data ?? e.PROWL_DATA)?.replace(/^~(?=\/|$)/, homedir()) ?? 'data')
  return {
    dataDir,
    signatureDirs: [
      e.PROWL_SIGNATURES ? resolve(root, e.PROWL_SIGNATURES) : join(root, 'signatures'),
      join(dataDir, 'signatures'),
    ],
    deploymentsFile: e.PROWL_DEPLOYMENTS && resolve(root, e.PROWL_DEPLOYMENTS),
    publicUrl: e.PROWL_URL,
    port: e.PORT,
    logLevel: e.PROWL_LOG_LEVEL,
    gcsEndpoint: e.PROWL_GCS_ENDPOINT?.replace(/\/+$/, ''),
  }
}

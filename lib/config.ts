import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ProwlError } from './errors.ts'
import type { ElasticOptions } from './store/elastic/connect.ts'

/** The only reader of process.env: everything that can be set from outside, checked once. */
export interface Config {
  /** Where the embedded store, the sample bucket and generated changes live. */
  readonly dataDir: string
  /** The cluster that holds the data instead; undefined: the embedded store does. */
  readonly elastic: ElasticOptions | undefined
  /** Directories of signature files, in order: those that people review, then what the sample bucket generated. */
  readonly signatureDirs: readonly string[]
  /** A YAML file of deployments (docs/deployments.md); the built-in table where absent. */
  readonly deploymentsFile: string | undefined
  /** A YAML file of variants (docs/variants.md); the built-in table where absent. */
  readonly variantsFile: string | undefined
  /** Address that people reach the app at, for links in copied text; absent: relative links. */
  readonly publicUrl: string | undefined
  /** Where the worker posts notices; holds a secret. Absent: nowhere. */
  readonly webhook: string | undefined
  /** Reverse proxies in front of the app, each of which appends who asked it to X-Forwarded-For. */
  readonly proxies: number
  /** What one client may ask a minute; 0: as much as it likes. */
  readonly pace: { readonly requests: number; readonly searches: number }
  readonly port: number
  readonly logLevel: string
  /** What the worker logs; absent: words on a terminal, else JSON. */
  readonly logFormat: 'json' | 'words' | undefined
  /** Where Google Cloud Storage answers, for an emulator or a mirror; absent: Google. */
  readonly gcsEndpoint: string | undefined
}

const nodes = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, '')))
  .pipe(z.array(z.url({ protocol: /^https?$/ })))

const Env = z.object({
  PROWL_STORE: z.enum(['embedded', 'elasticsearch']).default('embedded'),
  ELASTICSEARCH_URL: nodes.optional(),
  ELASTICSEARCH_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,49}$/, 'not a lower-case word of letters, digits and _')
    .default('prowl'),
  ELASTICSEARCH_API_KEY: z.string().min(1).optional(),
  ELASTICSEARCH_USERNAME: z.string().min(1).optional(),
  ELASTICSEARCH_PASSWORD: z.string().min(1).optional(),
  ELASTICSEARCH_CA_FILE: z.string().min(1).optional(),
  ELASTICSEARCH_LEASE: z.coerce.number().min(1, 'less than a second').max(3600).optional(),
  PROWL_DATA: z.string().min(1).optional(),
  PROWL_SIGNATURES: z.string().min(1).optional(),
  PROWL_DEPLOYMENTS: z.string().min(1).optional(),
  PROWL_VARIANTS: z.string().min(1).optional(),
  PROWL_URL: z.url({ protocol: /^https?$/ }).optional(),
  PROWL_WEBHOOK: z.url({ protocol: /^https$/, error: 'not an https address' }).optional(),
  PROWL_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  PROWL_PACE_REQUESTS: z.coerce.number().int().min(0).default(1200),
  PROWL_PACE_SEARCHES: z.coerce.number().int().min(0).default(300),
  PROWL_GCS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  PROWL_LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  PROWL_LOG_FORMAT: z.enum(['json', 'words']).optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
})

/** Reads and checks the environment; `data` overrides PROWL_DATA. Throws CONFIG_INVALID that names the variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env, root = process.cwd(), data?: string): Config {
  const parsed = Env.safeParse(env)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw invalid(`${issue?.path.at(0)?.toString()}: ${issue?.message}; set it right or leave it unset`)
  }
  const e = parsed.data
  const dataDir = resolve(root, (data ?? e.PROWL_DATA)?.replace(/^~(?=\/|$)/, homedir()) ?? 'data')
  return {
    dataDir,
    elastic: elasticOf(e, root),
    signatureDirs: [
      e.PROWL_SIGNATURES ? resolve(root, e.PROWL_SIGNATURES) : join(root, 'signatures'),
      join(dataDir, 'signatures'),
    ],
    deploymentsFile: e.PROWL_DEPLOYMENTS && resolve(root, e.PROWL_DEPLOYMENTS),
    variantsFile: e.PROWL_VARIANTS && resolve(root, e.PROWL_VARIANTS),
    publicUrl: e.PROWL_URL,
    webhook: e.PROWL_WEBHOOK,
    proxies: e.PROWL_PROXIES,
    pace: { requests: e.PROWL_PACE_REQUESTS, searches: e.PROWL_PACE_SEARCHES },
    port: e.PORT,
    logLevel: e.PROWL_LOG_LEVEL,
    logFormat: e.PROWL_LOG_FORMAT,
    gcsEndpoint: e.PROWL_GCS_ENDPOINT?.replace(/\/+$/, ''),
  }
}

function elasticOf(e: z.infer<typeof Env>, root: string): ElasticOptions | undefined {
  if (e.PROWL_STORE === 'embedded') return undefined
  if (!e.ELASTICSEARCH_URL)
    throw invalid('ELASTICSEARCH_URL: not set; name the nodes, or leave PROWL_STORE unset for the embedded store')
  const { ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_USERNAME: username, ELASTICSEARCH_PASSWORD: password } = e
  if ((username === undefined) !== (password === undefined))
    throw invalid('ELASTICSEARCH_USERNAME, ELASTICSEARCH_PASSWORD: one without the other; set both')
  const user = username !== undefined && password !== undefined ? { username, password } : undefined
  const auth = apiKey === undefined ? user : { apiKey }
  return {
    nodes: e.ELASTICSEARCH_URL,
    prefix: e.ELASTICSEARCH_PREFIX,
    ...(auth ? { auth } : {}),
    ...(e.ELASTICSEARCH_CA_FILE ? { caFile: resolve(root, e.ELASTICSEARCH_CA_FILE) } : {}),
    ...(e.ELASTICSEARCH_LEASE === undefined ? {} : { leaseMs: e.ELASTICSEARCH_LEASE * 1000 }),
  }
}

function invalid(message: string): ProwlError {
  return new ProwlError('CONFIG_INVALID', message)
}

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const FILES = ['compose.yaml', 'compose.embedded.yaml']
const PASSWORD = { ELASTIC_PASSWORD: 'secret' }

const Command = z.tuple([z.literal('node')], z.string())
const Service = z
  .strictObject({
    build: z.literal('.').optional(),
    image: z.string(),
    init: z.boolean().optional(),
    restart: z.literal('unless-stopped'),
    command: Command.optional(),
    stop_grace_period: z
      .string()
      .regex(/^\d+s$/)
      .optional(),
    depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
    environment: z.record(z.string(), z.string().nullable()).optional(),
    ports: z.array(z.string().regex(/^\S+:\d+$/)).optional(),
    volumes: z.array(z.string().regex(/^\w+:\/[\w/]+$/)).optional(),
    ulimits: z.strictObject({ nofile: z.number() }).optional(),
    healthcheck: z
      .union([
        z.strictObject({ disable: z.literal(true) }),
        z.strictObject({
          test: z.tuple([z.literal('CMD-SHELL'), z.string()]),
          interval: z.string(),
          timeout: z.string(),
          retries: z.number(),
        }),
      ])
      .optional(),
  })
  .refine(
    ({ build, command, environment }) => build !== undefined || (!command && environment),
    'what is not built is an image with settings',
  )
const Compose = z.object({
  name: z.literal('prowl'),
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
})

const composed = (file: string) => Compose.parse(parse(readFileSync(file, 'utf8'), { merge: true }))

describe.each(FILES)('%s', (file) => {
  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0
  it.skipIf(!hasCompose)('is taken by docker compose config', () => {
    const { status, stderr } = spawnSync('docker', ['compose', '-f', file, 'config', '--quiet'], {
      env: { ...process.env, ...PASSWORD },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('names only services and volumes that there are', () => {
    const { services, volumes } = composed(file)
    for (const service of Object.values(services)) {
      for (const needed of Object.keys(service.depends_on ?? {})) {
        expect(services[needed]?.healthcheck).toHaveProperty('test')
      }
      for (const mount of service.volumes ?? []) expect(volumes).toHaveProperty(mount.split(':')[0] ?? '')
    }
  })

  it('starts commands that there are, with options that they have', () => {
    for (const { command } of Object.values(composed(file).services)) {
      if (!command) continue
      const [, ...args] = command
      const options = args.filter((arg) => arg.startsWith('--'))
      const scripts = args.filter((arg) => /\.[jt]s$|\/bin\//.test(arg))
      for (const script of scripts) expect(existsSync(script), script).toBe(true)
      const { stdout } = spawnSync(process.execPath, [...scripts, '--help'], { encoding: 'utf8' })
      for (const option of options) expect(stdout).toContain(option)
    }
  })

  it('takes settings that docs/operations.md explains', () => {
    const docs = readFileSync('docs/operations.md', 'utf8')
    const text = readFileSync(file, 'utf8')
    const names = [...text.matchAll(/\$\{(\w+)|^\s+(PROWL_\w+|ELASTICSEARCH_\w+):/gm)].map(
      (match) => match[1] ?? match[2] ?? '',
    )
    expect(names.length).toBeGreaterThan(4)
    for (const name of names) expect(docs).toContain(`\`${name}\``)
  })
})

describe('Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n')
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))

  it('builds in stages on one Node, and runs as no root', () => {
    expect(new Set(of('FROM').map((from) => from.split(' ')[0]))).toEqual(new Set(['node:24-slim']))
    expect(last).toContain('USER node')
    expect(last.findLastIndex((line) => /^(RUN|COPY) /.test(line))).toBeLessThan(last.indexOf('USER node'))
  })

  it('copies what there is, and what .dockerignore lets through', () => {
    const allowed = new Set(
      readFileSync('.dockerignore', 'utf8')
        .split('\n')
        .flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []),
    )
    const sources = of('COPY')
      .filter((copy) => !copy.startsWith('--from'))
      .flatMap((copy) => copy.split(' ').slice(0, -1))
    for (const source of sources.filter((each) => each !== '.')) {
      expect(existsSync(source), source).toBe(true)
      expect(allowed).toContain(source)
    }
    for (const source of allowed) expect(existsSync(source), source).toBe(true)
  })

  it('starts, and checks its health with, what it copied', () => {
    const copied = last.filter((line) => line.startsWith('COPY ')).map((line) => line.split(' ').at(-1))
    for (const word of ['CMD', 'HEALTHCHECK']) {
      const line = last.find((each) => each.startsWith(word)) ?? ''
      const [node, script = ''] = JSON.parse(line.slice(line.indexOf('[')))
      expect(node).toBe('node')
      expect(existsSync(script)).toBe(true)
      expect(copied).toContain(script.split('/')[0])
    }
  })
})

test.each([
  [200, 0],
  [500, 1],
])('where /readyz answers %d, the health check ends with %d', async (status, code) => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const child = spawn(process.execPath, ['scripts/healthy.js'], { env: { ...process.env, PORT: String(port) } })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(code)
  expect(asked).toEqual(['/readyz'])
})

import { type Random, random } from '#lib/testing/sample/random.ts'
import { COMPONENTS, JOBS, TESTS, VERBS, WORDS } from './words.ts'

/** What the lines of one log share: its clock, its namespace, the pods and nodes it tells of. */
export interface Scene {
  readonly rng: Random
  /** Epoch ms, moved on by each line that shows it. */
  clock: number
  readonly namespace: string
  readonly pods: readonly string[]
  readonly nodes: readonly string[]
}

export type Slot = (scene: Scene) => string

const B64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function sceneOf(seed: number, day: number, log: number, start: number): Scene {
  const rng = random(seed, 'bench', day, log)
  return {
    rng,
    clock: start,
    namespace: `ci-op-${rng.name(8)}`,
    pods: Array.from({ length: 24 }, () => `${rng.pick(COMPONENTS)}-${rng.hex(9)}-${rng.name(5)}`),
    nodes: Array.from({ length: 6 }, () => `ip-10-0-${rng.int(0, 255)}-${rng.int(0, 255)}.ec2.internal`),
  }
}

/** What `{name}` in a line stands for. */
export const SLOTS: Readonly<Record<string, Slot>> = {
  iso: (scene) => `${isoTime(scene)}Z`,
  isoMicro: (scene) => `${isoTime(scene)}.${digits(scene, 6)}Z`,
  klog: (scene) => {
    const time = isoTime(scene)
    return `${time.slice(5, 7)}${time.slice(8, 10)} ${time.slice(11)}.${digits(scene, 6)}`
  },
  go: (scene) => isoTime(scene).replaceAll('-', '/').replace('T', ' '),
  clock: (scene) => `${isoTime(scene).slice(11)}.${digits(scene, 3)}`,
  n: ({ rng }) => String(rng.int(1, 9999)),
  small: ({ rng }) => String(rng.int(1, 40)),
  pid: ({ rng }) => String(rng.int(1, 32768)),
  seconds: ({ rng }) => (rng.unit() * 90).toFixed(3),
  minutes: ({ rng }) => `${rng.int(0, 59)}m${rng.int(0, 59)}.${rng.int(100, 999)}s`,
  hex8: ({ rng }) => rng.hex(8),
  sha256: ({ rng }) => rng.hex(64),
  sha1: ({ rng }) => rng.hex(40),
  uuid: ({ rng }) => rng.uuid(),
  name: ({ rng }) => rng.name(5),
  id: ({ rng }) => rng.name(12),
  b64: ({ rng }) => letters(rng, B64, 44),
  ip: ({ rng }) => `10.${rng.int(0, 131)}.${rng.int(0, 255)}.${rng.int(1, 254)}`,
  port: ({ rng }) => String(rng.int(1024, 65535)),
  ns: (scene) => scene.namespace,
  pod: ({ rng, pods }) => rng.pick(pods),
  node: ({ rng, nodes }) => rng.pick(nodes),
  component: ({ rng }) => rng.pick(COMPONENTS),
  job: ({ rng }) => rng.pick(JOBS),
  test: ({ rng }) => rng.pick(TESTS),
  verb: ({ rng }) => rng.pick(VERBS),
  word: ({ rng }) => rng.pick(WORDS),
  Word: ({ rng }) => capital(rng.pick(WORDS)) + capital(rng.pick(WORDS)),
  path: ({ rng }) => `${rng.pick(WORDS)}/${rng.pick(WORDS)}/${rng.pick(WORDS)}`,
  file: ({ rng }) => `${rng.pick(WORDS)}_${rng.pick(WORDS)}.go:${rng.int(10, 2400)}`,
}

function isoTime(scene: Scene): string {
  scene.clock += scene.rng.int(0, 900)
  return new Date(scene.clock).toISOString().slice(0, 19)
}

function digits({ rng }: Scene, length: number): string {
  return String(rng.int(0, 10 ** length - 1)).padStart(length, '0')
}

function letters(rng: Random, alphabet: string, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt(rng.int(0, alphabet.length - 1))
  return text
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

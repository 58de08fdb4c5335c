import { LINES } from './lines.ts'
import { NEEDLES, type Needle, type NeedleName } from './needles.ts'
import { type Scene, SLOTS, type Slot, sceneOf } from './slots.ts'

/** One log that is to be written. */
export interface LogPlan {
  readonly day: number
  readonly index: number
  readonly bytes: number
  /** When its run began, epoch ms. */
  readonly start: number
  /** Needles that this very log holds, beside those that come by chance. */
  readonly holds: readonly NeedleName[]
}

const MIB = 1024 * 1024
const CHUNK = 256 * 1024
const DUMP_BYTES = 60_000
/** Filler lines are about this long: only for how often needles come. */
const LINE_BYTES = 135

const slots: Readonly<Record<string, Slot>> = { ...SLOTS, dump: ({ rng }) => dumpOf(rng.hex(DUMP_BYTES / 5)) }
const programs = Object.values(LINES).map((lines) => lines.map(template))
const needles = Object.entries<Needle>(NEEDLES).map(([name, needle]) => ({
  name: name as NeedleName,
  lines: needle.lines.map(template),
  chance: ((needle.perMiB ?? 0) * LINE_BYTES) / MIB,
}))

/** A log's text in pieces, whole lines each, its length as planned to within a line. */
export function* logText(seed: number, plan: LogPlan): Generator<string> {
  const scene = sceneOf(seed, plan.day, plan.index, plan.start)
  const { rng } = scene
  const plant = (name: NeedleName) => {
    const lines = needles.find((needle) => needle.name === name)?.lines ?? []
    return lines.map((line) => `${line(scene)}\n`).join('')
  }
  const main = rng.pick(programs)
  let written = 0
  let text = plan.holds.map(plant).join('')
  while (written + text.length < plan.bytes) {
    const program = rng.chance(0.75) ? main : rng.pick(programs)
    for (let left = rng.int(10, 120); left > 0 && written + text.length < plan.bytes; left--) {
      text += `${rng.pick(program)(scene)}\n`
      const name = byChance(rng.unit())
      if (name) text += plant(name)
    }
    if (text.length < CHUNK) continue
    yield text
    written += text.length
    text = ''
  }
  if (text !== '') yield text
}

function byChance(draw: number): NeedleName | undefined {
  let below = 0
  for (const { name, chance } of needles) {
    below += chance
    if (draw < below) return name
  }
  return undefined
}

function template(line: string): Slot {
  const parts = line.split(/(\{\w+\})/).map((part): string | Slot => slots[part.slice(1, -1)] ?? part)
  return (scene: Scene) => {
    let text = ''
    for (const part of parts) text += typeof part === 'string' ? part : part(scene)
    return text
  }
}

function dumpOf(hex: string): string {
  return hex.replaceAll(/../g, '0x$& ').trimEnd()
}

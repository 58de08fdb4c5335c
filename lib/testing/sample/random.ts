import { createHash } from 'node:crypto'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** Seeded draws; every run has its own, so that a slice of the bucket holds the same bytes as the whole. */
export interface Random {
  /** In [0, 1). */
  unit(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  shuffle<T>(from: readonly T[]): T[]
  hex(length: number): string
  /** Lower case letters and digits, as Kubernetes names its pods and ci-operator its namespaces. */
  name(length: number): string
  uuid(): string
}

const HEX = '0123456789abcdef'
const NAME = '0123456789bcdfghijklmnpqrstvwxyz'

/** Draws that depend on the labels only: equal labels, equal draws. */
export function random(...labels: readonly (string | number)[]): Random {
  const digest = createHash('sha256').update(labels.join('\0')).digest()
  const state = [0, 4, 8, 12].map((at) => digest.readInt32LE(at))
  const generator = xoroshiro128plusFromState(state)
  const unit = () => (generator.next() >>> 0) / 2 ** 32
  const int = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1))
  const letters = (alphabet: string, length: number) => {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet.charAt(int(0, alphabet.length - 1))
    return text
  }
  const hex = (length: number) => letters(HEX, length)
  return {
    unit,
    int,
    chance: (probability) => unit() < probability,
    pick(from) {
      const chosen = from[int(0, from.length - 1)]
      if (chosen === undefined) throw new RangeError('nothing to pick from')
      return chosen
    },
    shuffle(from) {
      return from
        .map((item) => ({ item, at: unit() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item)
    },
    hex,
    name: (length) => letters(NAME, length),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${letters('89ab', 1)}${hex(3)}-${hex(12)}`,
  }
}

import type { Block } from '#lib/model/block.ts'
import type { LogName, Store, Version } from '#lib/store/store.ts'

const BLOCKS_A_CALL = 16

/** Appends a log's blocks some at a time; while the store writes them the next are read, and no more than that. */
export class Appender {
  readonly #append: (blocks: readonly Block[]) => Promise<void>
  #waiting: Block[] = []
  #underWay: Promise<void> = Promise.resolve()

  constructor(store: Store, version: Version, log: LogName) {
    this.#append = (blocks) => store.append(version, log, blocks)
  }

  /** Throws what the call before failed with. */
  async take(blocks: readonly Block[]): Promise<void> {
    this.#waiting.push(...blocks)
    if (this.#waiting.length >= BLOCKS_A_CALL) await this.#send()
  }

  /** When all is written. */
  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#send()
    await this.#underWay
  }

  async #send(): Promise<void> {
    await this.#underWay
    const blocks = this.#waiting
    this.#waiting = []
    this.#underWay = this.#append(blocks)
    // Thrown by whoever waits for it next; until then it is no unhandled rejection.
    this.#underWay.catch(() => {})
  }
}

import { SingleBar } from 'cli-progress'
import ms from 'ms'
import prettyBytes from 'pretty-bytes'
import type { PassResult } from './pass.ts'
import type { Progress } from './read-runs.ts'

export interface ProgressPrinter {
  readonly progress: (progress: Progress) => void
  readonly pass: (result: PassResult) => void
  /** Another worker leads, as the message says. */
  readonly standby: (message: string) => void
  readonly end: () => void
}

const LINE_EVERY_MS = 5000
const READING = 'reading'
/** Before that a pace says little. */
const MIN_PACE_MS = 10_000

/** A bar on a terminal; elsewhere a line every five seconds of reading. Passes are told of when they read something, and the first. */
export function progressPrinter(out: NodeJS.WriteStream): ProgressPrinter {
  const printer = out.isTTY ? barPrinter(out) : linePrinter(out)
  let first = true
  return {
    ...printer,
    pass: (result) => {
      if (first || result.published > 0 || result.failed > 0) printer.pass(result)
      first = false
    },
  }
}

function barPrinter(out: NodeJS.WriteStream): ProgressPrinter {
  const bar = new SingleBar({
    stream: out,
    format: '{task} {bar} {value}/{total} runs, {read}{left}',
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  })
  let running = false
  const left = estimate(Date.now)
  const end = () => {
    if (running) bar.stop()
    running = false
  }
  return {
    progress: ({ task = READING, done, total, bytes }) => {
      const payload = { task, read: prettyBytes(bytes), left: left({ done, total }) }
      if (!running && total > done) bar.start(total, done, payload)
      running ||= total > done
      if (running) bar.update(done, payload)
    },
    pass: (result) => {
      end()
      out.write(`${summary(result)}\n`)
    },
    standby: (message) => {
      end()
      out.write(standby(message))
    },
    end,
  }
}

function linePrinter(out: NodeJS.WriteStream): ProgressPrinter {
  let nextAt = Date.now() + LINE_EVERY_MS
  const left = estimate(Date.now)
  return {
    progress: ({ task = READING, done, total, bytes }) => {
      const soon = left({ done, total })
      if (bytes === 0 || Date.now() < nextAt) return
      nextAt = Date.now() + LINE_EVERY_MS
      out.write(`${task}: ${done}/${total} runs, ${prettyBytes(bytes)}${soon}\n`)
    },
    pass: (result) => out.write(`${summary(result)}\n`),
    standby: (message) => out.write(standby(message)),
    end: () => {},
  }
}

/** How long the rest takes at the pace so far; empty for the first ten seconds of a reading, and at its end. */
export function estimate(now: () => number): (progress: Pick<Progress, 'done' | 'total'>) => string {
  let begun = { at: now(), done: 0, total: 0 }
  return ({ done, total }) => {
    if (total !== begun.total || done < begun.done) begun = { at: now(), done, total }
    const [elapsed, read] = [now() - begun.at, done - begun.done]
    if (elapsed < MIN_PACE_MS || read === 0 || done >= total) return ''
    return `, about ${ms(Math.max(1000, ((total - done) * elapsed) / read), { long: true })} left`
  }
}

function standby(message: string): string {
  return `standing by: ${message}\n`
}

function summary({ done, total, published, failed, bytes, whole }: PassResult): string {
  const read = published === 0 ? 'nothing new' : `${published} runs read (${prettyBytes(bytes)})`
  const notes = [failed > 0 ? `${failed} could not be read` : '', whole ? '' : `stopped at ${done} of ${total}`]
  return [`${total} runs found`, read, ...notes.filter(Boolean)].join(', ')
}

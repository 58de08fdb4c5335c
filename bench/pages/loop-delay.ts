import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into the server by the bench: at SIGUSR2 it writes how long its event loop was held up at most since the last
 * time (ms), into the file that PAGES_LOOP names.
 */
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('SIGUSR2', () => {
  writeFileSync(process.env.PAGES_LOOP ?? '/dev/null', String(delay.max / 1e6))
  delay.reset()
})

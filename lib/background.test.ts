import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

/** Fields after the name, from the third on: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const NICE = 19 - 3
const niceOf = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE])
const ownNice = () => niceOf(readFileSync('/proc/thread-self/stat', 'utf8'))

test.skipIf(process.platform !== 'linux')('a thread steps back by itself, those that started it stay', async () => {
  const before = ownNice()
  const code = `
    import { readFileSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    import { workInBackground } from ${JSON.stringify(new URL('./background.ts', import.meta.url).href)}
    workInBackground()
    parentPort.postMessage(readFileSync('/proc/thread-self/stat', 'utf8'))`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const [stat] = await once(worker, 'message')
  await worker.terminate()
  expect(niceOf(stat)).toBeGreaterThan(before)
  expect(ownNice()).toBe(before)
})

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Done, Task } from './child.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

/** Runs a task in a process of its own. Throws where it fails or a run could not be read. */
export async function runChild(task: Task): Promise<Done> {
  const child = fork(CHILD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = Promise.withResolvers<never>()
  child.once('exit', (code, signal) => ended.reject(new Error(`${task.do} ended with ${signal ?? code}`)))
  const answered = new Promise<Done>((resolve) => child.once('message', (done) => resolve(done as Done)))
  // Before the folder that it writes to is removed.
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  child.send(task)
  const done = await Promise.race([answered, ended.promise]).finally(() => process.off('exit', kill))
  if (done.failed > 0) throw new Error(`${done.failed} runs of the corpus could not be ingested`)
  return done
}

import { constants, setPriority } from 'node:os'

/**
 * Whoever reads a page comes first: this thread, and those that it starts from now on, get what the processor has left. On
 * Linux only, which takes 0 as the calling thread (https://man7.org/linux/man-pages/man2/setpriority.2.html#BUGS); elsewhere
 * the pages' own thread would be slowed with it.
 */
export function workInBackground(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox may refuse it; all that is lost is the order.
  }
}

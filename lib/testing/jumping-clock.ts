/**
 * Preloaded (`node --import`), it sets the clock of a process wrong, as people and time servers do: PROWL_TEST_JUMPS is JSON
 * of pairs, ms after the start and by how many ms the clock is wrong from then on. Timers and the steady clock go on.
 */
const jumps = JSON.parse(process.env.PROWL_TEST_JUMPS ?? '[]') as readonly (readonly [number, number])[]
const real = Date.now

function now(): number {
  const [, by = 0] = jumps.findLast(([after]) => real() - began >= after) ?? []
  return real() + by
}

// Threads of the process begin later, and have its clock.
const began = performance.timeOrigin - (process.uptime() * 1000 - performance.now())
Date.now = now
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
})

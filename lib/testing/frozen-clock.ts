/** Preloaded (`node --import`), it stops the clock of a process at PROWL_TEST_NOW, epoch ms: two of them tell the same time. */
const now = Number(process.env.PROWL_TEST_NOW)
if (!Number.isSafeInteger(now)) throw new Error('PROWL_TEST_NOW: give epoch milliseconds')

Date.now = () => now
// Not a subclass: Next wraps the class once more, with the properties that are its own.
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now] : given, newTarget),
})

import { describe, expect, test } from 'vitest'
import { SteppedClock } from '../../testing/stepped-clock.ts'
import { type Clock, type DocState, Lease, type LeaseDocument, type LeaseRecord } from './lease.ts'

const LASTS = 20_000

interface Faults {
  /** A call fails after so many ms. */
  away?: number
  /** A call is done, and its answer gets lost. */
  mute?: boolean
  /** So many writes are done, and refused when they are sent again. */
  refuses?: number
}

/** The document as Elasticsearch keeps it: each writing has a number. */
class MemoryDocument {
  record: LeaseRecord | undefined
  number = 0
  writes = 0

  /** As one process reaches it. */
  as(clock: Clock, faults: Faults = {}): LeaseDocument {
    const answer = async <T>(done: () => T): Promise<T> => {
      if (faults.away !== undefined) {
        await clock.sleep(faults.away)
        throw new Error('away')
      }
      const result = done()
      if (faults.mute) throw new Error('no answer')
      return result
    }
    return {
      read: () => answer(() => this.record && { record: this.record, state: this.state }),
      write: (record, over) =>
        answer(() => {
          const state = this.#write(record, over)
          if (!faults.refuses) return state
          faults.refuses--
          return undefined
        }),
    }
  }

  get state(): DocState {
    return { _seq_no: this.number, _primary_term: 1 }
  }

  #write(record: LeaseRecord, over: DocState | 'nothing'): DocState | undefined {
    const fits = over === 'nothing' ? !this.record : this.record && over._seq_no === this.number
    if (!fits) return undefined
    this.record = record
    this.number++
    this.writes++
    return this.state
  }
}

function world() {
  const document = new MemoryDocument()
  const take = (name: string, clock: Clock, faults?: Faults, lastsMs = LASTS) =>
    Lease.take({
      document: document.as(clock, faults),
      owner: { host: name, pid: 1, id: name },
      what: 'prowl-*',
      lastsMs,
      clock,
    })
  return { document, take }
}

/** What a promise has come to. */
function outcome<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: unknown } = {}
  promise.then(
    (value) => {
      seen.value = value
    },
    (error) => {
      seen.error = error
    },
  )
  return seen
}

describe('the lease', () => {
  test('is taken at once where there is none, and its terms count on', async () => {
    const { document, take } = world()
    const clock = new SteppedClock()
    for (const term of [1, 2, 3]) {
      const lease = await take(`w${term}`, clock)
      expect(document.record).toMatchObject({ term, owner: { host: `w${term}` } })
      expect(lease.holds()).toBe(true)
      const ending = lease.release()
      await clock.pass(0)
      await ending
      expect(document.record?.released).toBe(true)
      expect(() => lease.holds()).toThrow('given back')
    }
  })

  test('is renewed four times while it lasts, and refused to others by name', async () => {
    const { document, take } = world()
    const clock = new SteppedClock(Date.UTC(2026, 10, 3, 9))
    await take('first', clock)
    await clock.pass(LASTS * 3)
    expect(document.writes).toBe(13)
    const second = outcome(take('second', clock))
    await clock.pass(LASTS / 4 + 1000)
    expect(second.error).toMatchObject({
      code: 'STORE_LEASE_HELD',
      message: expect.stringMatching(/prowl-\*: process 1 on first, since 2026-11-03T09:00:00Z/),
    })
  })

  test.each([0, -3_600_000, 3_600_000, 86_400_000 * 400])(
    'of a worker that is gone is free once unchanged for as long as it lasts, clocks %d ms apart',
    async (apart) => {
      const { document, take } = world()
      const killed = new SteppedClock(Date.UTC(2026, 10, 3))
      await take('killed', killed)
      const clock = new SteppedClock(Date.UTC(2026, 10, 3) + apart)
      const next = outcome(take('next', clock))
      await clock.pass(LASTS - 2000)
      expect(next).toEqual({})
      await clock.pass(3000)
      expect(next.value?.holds()).toBe(true)
      expect(document.record).toMatchObject({ term: 2, owner: { host: 'next' } })
    },
  )

  test('lasts as long as its holder was told, whatever the watcher is', async () => {
    const { take } = world()
    await take('killed', new SteppedClock())
    const clock = new SteppedClock()
    const next = outcome(take('next', clock, {}, LASTS / 10))
    await clock.pass(LASTS - 2000)
    expect(next).toEqual({})
    await clock.pass(3000)
    expect(next.value?.holds()).toBe(true)
  })

  test('a clock that is set forward does not make a watcher impatient', async () => {
    const { take } = world()
    await take('leads', new SteppedClock())
    const clock = new SteppedClock()
    const next = outcome(take('next', clock))
    await clock.pass(5000)
    clock.jump(86_400_000)
    await clock.pass(5000)
    expect(next).toEqual({})
  })

  test('of two that wait, one takes it', async () => {
    const { take } = world()
    await take('killed', new SteppedClock())
    const clock = new SteppedClock()
    const waiting = ['a', 'b', 'c'].map((name) => outcome(take(name, clock)))
    await clock.pass(LASTS * 2)
    expect(waiting.filter(({ value }) => value)).toHaveLength(1)
    expect(waiting.filter(({ error }) => error)).toHaveLength(2)
  })

  test('is taken by who asked twice, as its first answer got lost', async () => {
    const { document, take } = world()
    const [clock, faults] = [new SteppedClock(), { refuses: 1 }]
    expect((await take('w', clock, faults)).holds()).toBe(true)
    expect(document.record).toMatchObject({ term: 1 })
  })

  test('who waits takes it at once when it is given back', async () => {
    const { take } = world()
    const clock = new SteppedClock()
    const first = await take('first', clock)
    const next = outcome(take('next', clock))
    await clock.pass(2000)
    const ending = first.release()
    await clock.pass(1000)
    await ending
    expect(next.value?.holds()).toBe(true)
  })
})

describe('a holder that can not renew', () => {
  test('sends nothing while less is left than a request takes, before another can lead; then goes on', async () => {
    const { take } = world()
    const clock = new SteppedClock()
    const faults: { away?: number } = {}
    const lease = await take('w', clock, faults)
    faults.away = 1000
    await clock.pass((LASTS * 3) / 4)
    expect(lease.holds()).toBe(true)
    await clock.pass(1)
    expect(lease.holds()).toBe(false)
    const ready = outcome(lease.ready())
    await clock.pass(LASTS)
    expect(ready).toEqual({})
    delete faults.away
    await clock.pass(LASTS / 4)
    expect(ready).toHaveProperty('value')
    expect(lease.holds()).toBe(true)
  })

  test('waits two minutes, then says why', async () => {
    const { take } = world()
    const clock = new SteppedClock()
    const faults: { away?: number } = {}
    const lease = await take('w', clock, faults)
    faults.away = 100
    await clock.pass(LASTS)
    const ready = outcome(lease.ready())
    await clock.pass(130_000)
    expect(ready.error).toMatchObject({ code: 'STORE_UNREACHABLE' })
  })

  test('is told that another has led, and by whom', async () => {
    const { take } = world()
    const [slow, clock] = [new SteppedClock(), new SteppedClock()]
    const lease = await take('slow', slow)
    const next = outcome(take('next', clock))
    await clock.pass(LASTS + 1000)
    expect(next.value?.holds()).toBe(true)
    const ready = outcome(lease.ready())
    await slow.pass(LASTS)
    expect(ready).toHaveProperty('value')
    expect(() => lease.holds()).toThrow(/on next/)
    await expect(lease.ready()).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    // It gives nothing back that is not its own.
    await lease.release()
    expect(next.value?.holds()).toBe(true)
  })

  test('whose answers got lost still holds it', async () => {
    const { document, take } = world()
    const clock = new SteppedClock()
    const faults: { mute?: boolean } = {}
    const lease = await take('w', clock, faults)
    faults.mute = true
    await clock.pass(LASTS / 2)
    expect(document.writes).toBeGreaterThan(1)
    delete faults.mute
    await clock.pass(LASTS / 2)
    expect(lease.holds()).toBe(true)
    expect(document.record).toMatchObject({ term: 1 })
  })

  test.each([
    ['slept: the wall clock alone went on', LASTS, false],
    ['was set back: the other clock tells', -86_400_000, true],
  ])('whose machine %s', async (_, jump, before) => {
    const { take } = world()
    const clock = new SteppedClock(Date.UTC(2026, 10, 3))
    const faults: { away?: number } = {}
    const lease = await take('w', clock, faults)
    faults.away = 100
    clock.jump(jump)
    expect(lease.holds()).toBe(before)
    await clock.pass(LASTS)
    expect(lease.holds()).toBe(false)
  })
})

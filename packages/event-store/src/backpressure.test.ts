// What goes into the log now and what waits in the outbox, by what the log says of its reader.
import { expect, test } from '@jest/globals'
import { partitionOf } from '@wds/event-log/partition'
import { systemClock } from '@wds/pacing/clock'
import { createBackpressure, room } from './backpressure.ts'

const topic = 'paced'
const partitions = 4
const byPartition = Map.groupBy(
  Array.from({ length: 200 }, (_, n) => `key ${n}`),
  (key) => partitionOf(key, partitions),
)
const [greedy, ...beside] = byPartition.get(0) as [string, ...string[]]
const [elsewhere] = byPartition.get(1) as [string]

/** A log that says what it is told to say, and a clock. */
function given() {
  const state = { nowMs: 0, end: -1n, taken: -1n, fails: false, looks: 0, warnings: 0 }
  const backpressure = createBackpressure({
    partitions,
    pacedBy: new Map([[topic, 'readers']]),
    clock: { ...systemClock, nowMs: () => state.nowMs },
    logger: {
      info: () => undefined,
      warn() {
        state.warnings += 1
      },
      error: () => undefined,
    },
    log: {
      async ends() {
        if (state.fails) throw new Error('away')
        return new Map([[0, state.end]])
      },
      async committedOffsets() {
        state.looks += 1
        return new Map([[0, state.taken]])
      },
    },
  })
  const look = (ms = 1_000) => {
    state.nowMs += ms
    return backpressure.readLag()
  }
  /** Gives the keys of those that go. */
  const admit = (keys: string[], of = topic) => {
    const going = backpressure.admit(keys.map((key) => ({ topic: of, key }))).map(({ key }) => key)
    state.end += BigInt(going.filter((key) => partitionOf(key, partitions) === 0).length)
    return going
  }
  return { state, backpressure, look, admit }
}

const times = (n: number, key = greedy) => Array.from({ length: n }, () => key)

test('of a burst a bounded number goes, the first rows of all others before it, in the given order', () => {
  const { admit, backpressure } = given()
  const going = admit([...times(400), ...beside.slice(0, 20), ...times(30, elsewhere)])
  expect(going).toEqual([...times(room.records - 20), ...beside.slice(0, 20), ...times(30, elsewhere)])
  expect(backpressure.isActive).toBe(true)
})

test('while the reader is behind one row of each key goes, and more as soon as it took some in', async () => {
  const { state, admit, look, backpressure } = given()
  admit(times(400))
  await look()
  expect(admit([...times(300), beside[0] as string, ...times(3, elsewhere)])).toEqual([
    greedy,
    beside[0],
    ...times(3, elsewhere),
  ])
  state.taken = 59n
  await look()
  expect(admit(times(299))).toHaveLength(room.records - 6)
  state.taken = state.end
  await look()
  expect(admit(times(20))).toHaveLength(20)
  expect(backpressure.isActive).toBe(false)
})

test('how far the reader is is asked seldom, and not at all where few records went', async () => {
  const { state, admit, look } = given()
  admit(times(room.readFrom - 1))
  await look()
  expect(state.looks).toBe(0)
  admit(times(2))
  await look()
  await look(10)
  expect(state.looks).toBe(1)
})

test('a reader that takes nothing in for 15 s is not waited for until it goes on', async () => {
  const { state, admit, look } = given()
  for (let seconds = 0; seconds < 16; seconds += 1) {
    admit(times(300))
    await look()
  }
  expect(state.end).toBeLessThan(120n)
  await look()
  expect(admit(times(300))).toHaveLength(room.records)
  await look()
  expect(admit(times(300))).toHaveLength(room.records)
  state.taken = 10n
  await look()
  expect(admit(times(300))).toHaveLength(1)
})

test('rows that go while a look is under way count, and only the first of each key goes until it has answered', async () => {
  const { state, admit, look } = given()
  admit(times(40))
  state.taken = state.end
  const looking = look()
  expect(admit(times(100))).toHaveLength(room.records - 40)
  expect(admit(times(100))).toHaveLength(1)
  await looking
  expect(admit(times(100))).toHaveLength(39)
})

test('a reader that had nothing to do for long is waited for', async () => {
  const { state, admit, look } = given()
  admit(times(60))
  state.taken = state.end
  await look()
  await look(600_000)
  admit(times(100))
  await look()
  expect(admit(times(300))).toHaveLength(1)
})

test('topics that nobody paces, and a log that cannot say, hold nothing back for good', async () => {
  const { state, admit, look } = given()
  expect(admit(times(400), 'other')).toHaveLength(400)
  state.fails = true
  for (let n = 0; n < 3; n += 1) {
    expect(admit(times(300))).toHaveLength(room.records)
    await look()
  }
  expect(state.warnings).toBe(1)
})

test('regression: under ordinary full load, where the group lags, no batch becomes smaller', async () => {
  const { admit, look, backpressure } = given()
  const keys = beside.slice(0, 10)
  const batch = keys.flatMap((key) => times(10, key))
  for (let pass = 0; pass < 5; pass += 1) {
    expect(admit(batch)).toEqual(batch)
    await look(100)
  }
  expect(backpressure.isActive).toBe(false)
})

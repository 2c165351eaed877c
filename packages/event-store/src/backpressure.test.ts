// What goes into the log now and what waits in the outbox, by what the log says of its reader.
import { expect, test } from '@jest/globals'
import { partitionOf } from '@wds/event-log/partition'
import { systemClock } from '@wds/pacing/clock'
import { createBackpressure, burstRows as piece, room } from './backpressure.ts'

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
  /** Passes that find a burst, until one publishes its first row alone. Gives the rows of those before it, by pass. */
  const burst = (): number[] => {
    const passes: number[] = []
    for (;;) {
      const { length } = admit(times(300))
      if (length === 1) return passes
      passes.push(length)
    }
  }
  return { state, backpressure, look, admit, burst }
}

const times = (n: number, key = greedy) => Array.from({ length: n }, () => key)

test('of a burst a small piece goes in each pass, and all rows of the others, in the given order', () => {
  const { admit, backpressure } = given()
  const others = [...beside.slice(0, 20), ...times(30, elsewhere)]
  expect(admit([...times(400), ...others])).toEqual([...times(piece), ...others])
  expect(backpressure.isActive).toBe(true)
})

test('of a burst no more than there is room for goes, and of each other key at least its first row', () => {
  const { admit, burst } = given()
  expect(burst()).toEqual([piece, piece, piece, piece])
  expect(admit([...times(400), ...beside.slice(0, 20), ...times(30, elsewhere)])).toEqual([
    greedy,
    ...beside.slice(0, 20),
    ...times(piece, elsewhere),
  ])
})

test('while the reader is behind one row of each key goes, and more as soon as it took some in', async () => {
  const { state, admit, look, burst, backpressure } = given()
  burst()
  await look()
  expect(admit([...times(300), beside[0] as string, ...times(3, elsewhere)])).toEqual([
    greedy,
    beside[0],
    ...times(3, elsewhere),
  ])
  state.taken = state.end - 6n
  await look()
  expect(burst()).toEqual([piece, piece, piece, room.records - 6 - 3 * piece])
  state.taken = state.end
  await look()
  expect(admit(times(4))).toHaveLength(4)
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
  const { state, admit, look, burst } = given()
  burst()
  for (let seconds = 0; seconds < 16; seconds += 1) {
    admit(times(300))
    await look()
  }
  expect(state.end).toBeLessThan(120n)
  await look()
  expect(burst()).toHaveLength(room.records / piece)
  await look()
  expect(burst()).toHaveLength(room.records / piece)
  state.taken = 10n
  await look()
  expect(admit(times(300))).toHaveLength(1)
})

test('rows that go while a look is under way count, and only the first of each key goes until it has answered', async () => {
  const { state, admit, look, burst } = given()
  admit([...times(16), ...beside.slice(0, 24)])
  state.taken = state.end
  const looking = look()
  expect(burst()).toEqual([piece, room.records - 40 - piece])
  expect(admit(times(100))).toHaveLength(1)
  await looking
  // Of the 26 rows that went meanwhile the look knew nothing.
  expect(burst()).toEqual([piece, piece, room.records - 26 - 2 * piece])
})

test('a reader that had nothing to do for long is waited for', async () => {
  const { state, look, burst, admit } = given()
  burst()
  state.taken = state.end
  await look()
  await look(600_000)
  burst()
  await look()
  expect(admit(times(300))).toHaveLength(1)
})

test('topics that nobody paces, and a log that cannot say, hold nothing back for good', async () => {
  const { state, admit, look, burst } = given()
  expect(admit(times(400), 'other')).toHaveLength(400)
  state.fails = true
  for (let n = 0; n < 3; n += 1) {
    expect(burst()).toHaveLength(room.records / piece)
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

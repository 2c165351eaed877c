// A partition that nobody reads is told from one that is idle, busy, or kept from reading by a fault that is known.
import { describe, expect, test } from '@jest/globals'
import { createStandstillLook, looksMax, type Standing } from './kafka-standstill.ts'
import type { PartitionBounds } from './lost-records.ts'

const topic = 'a.topic'

function lookAt(bounds: PartitionBounds) {
  const log = { bounds, isAway: false, asked: 0 }
  const look = createStandstillLook(async () => {
    log.asked += 1
    if (log.isAway) throw new Error('away')
    return new Map([0, 1].map((partition) => [partition, log.bounds]))
  })
  return { log, look }
}

function at(next: bigint | null, moves = 0, partition = 0): Standing {
  return { topic, partition, next, moves }
}

/** What the looks give, one after the other. */
async function looksOf(look: (all: Standing[]) => Promise<Standing | null>, all: Standing[]) {
  const given: (Standing | null)[] = []
  for (const one of all) given.push(await look([one]))
  return given
}

describe('a partition', () => {
  test('that is looked for again and again without a fault, and read nowhere, stands still', async () => {
    const { look } = lookAt({ first: 0n, end: 7n })
    expect(await looksOf(look, [at(6n), at(7n), at(6n)])).toEqual([null, null, at(6n)])
  })

  test(`that has records behind its position at ${looksMax} looks, and did not move, stands still`, async () => {
    const { look, log } = lookAt({ first: 0n, end: 7n })
    expect(await look([at(8n, 0, 1), at(7n)])).toBeNull()
    log.bounds = { first: 0n, end: 9n }
    expect(await look([at(10n, 0, 1), at(7n)])).toBeNull()
    expect(await look([at(10n, 0, 1), at(7n)])).toEqual(at(7n))
  })

  test('whose position is not found, and not looked for again, stands still', async () => {
    const { look, log } = lookAt({ first: 0n, end: 7n })
    expect(await looksOf(look, [at(null), at(null), at(null)])).toEqual([null, null, at(null)])
    expect(log.asked).toBe(0)
  })

  test.each<[string, PartitionBounds, Standing[]]>([
    ['is idle', { first: 0n, end: 6n }, [at(7n), at(7n), at(7n), at(7n)]],
    ['never held a record', { first: 0n, end: -1n }, [at(0n), at(0n), at(0n), at(0n)]],
    ['holds no record any more', { first: 8n, end: 7n }, [at(7n), at(7n), at(7n), at(7n)]],
    ['is behind and moves', { first: 0n, end: 99n }, [at(7n), at(7n), at(8n, 1), at(8n, 1)]],
    ['tries again after a fault', { first: 0n, end: 99n }, [at(7n), at(7n), at(7n, 1), at(7n, 1)]],
    ['looks for its position again', { first: 0n, end: 99n }, [at(null), at(null), at(null, 1), at(null, 1)]],
  ])('that %s does not', async (_, bounds, all) => {
    const { look } = lookAt(bounds)
    expect(await looksOf(look, all)).toEqual(all.map(() => null))
  })

  test('is given the whole time again when the log could not be asked, or it was busy meanwhile', async () => {
    const { look, log } = lookAt({ first: 0n, end: 7n })
    await looksOf(look, [at(7n), at(7n)])
    log.isAway = true
    expect(await look([at(7n)])).toBeNull()
    log.isAway = false
    expect(await looksOf(look, [at(7n), at(7n)])).toEqual([null, null])
    expect(await look([])).toBeNull()
    expect(await looksOf(look, [at(7n), at(7n), at(7n)])).toEqual([null, null, at(7n)])
  })
})

// The count over several processes, with a store in memory in the place of the database's statement. Seeds are printed by the title.
import { describe, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { callerAt } from './caller.ts'
import type { QuotaStore } from './quota-store.ts'
import { createRequestQuotas } from './request-quotas.ts'

const logger = createLogger({ service: 'quotas', level: 'silent' })
const windowMs = 60_000
const requests = 600

/** Processes that share one count, and the clock of all. */
function rig(processes: number, o: { requests?: number; addressesMax?: number } = {}) {
  const clock = { ms: 12_345 }
  const counts = new Map<string, { window: number; used: number }>()
  const store: QuotaStore = {
    count: async (caller, wanted) => {
      const window = Math.floor(clock.ms / windowMs)
      const known = counts.get(caller)
      const used = (known?.window === window ? known.used : 0) + wanted
      counts.set(caller, { window, used })
      return { used, restMs: windowMs - (clock.ms % windowMs) }
    },
  }
  const settings = { requests, ...o, windowMs, store, logger, nowMs: () => clock.ms }
  return { clock, replicas: Array.from({ length: processes }, () => createRequestQuotas(settings)) }
}

/** Numbers from 0 to 1, the same for a seed. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

describe('C61', () => {
  test.each([1, 2, 3])(
    'of a flood on %d processes as many requests pass as the quota has, within 5 %%',
    async (count) => {
      const { replicas, clock } = rig(count)
      for (let windows = 0; windows < 3; windows++) {
        let passed = 0
        for (let at = 0; at < 2_000; at++) if ((await replicas[at % count]?.take('a'))?.allowed) passed += 1
        expect(passed).toBeGreaterThanOrEqual(requests * 0.95)
        expect(passed).toBeLessThanOrEqual(requests * 1.05)
        clock.ms += windowMs
      }
    },
  )

  test('a flood of many requests at once is judged the same', async () => {
    const { replicas } = rig(3)
    const all = await Promise.all(Array.from({ length: 3_000 }, (_, at) => replicas[at % 3]?.take('a')))
    const passed = all.filter((standing) => standing?.allowed).length
    expect(passed).toBeGreaterThanOrEqual(requests * 0.95)
    expect(passed).toBeLessThanOrEqual(requests * 1.05)
  })

  test('one client does not use up what another has', async () => {
    const { replicas } = rig(1)
    for (let at = 0; at < 700; at++) await replicas[0]?.take('a')
    expect(await replicas[0]?.take('a')).toMatchObject({ allowed: false, left: 0 })
    expect(await replicas[0]?.take('b')).toMatchObject({ allowed: true, left: 599 })
  })
})

test('regression: a flood from ever new addresses shares one count in the end, and takes nothing from clients', async () => {
  const { replicas } = rig(1, { addressesMax: 10 })
  let passed = 0
  for (let at = 0; at < 1_000; at++) if ((await replicas[0]?.take(`address ${at}`))?.allowed) passed += 1
  expect(passed).toBe(10 + 630)
  expect(await replicas[0]?.take('address 5')).toMatchObject({ allowed: true, left: 598 })
  expect(await replicas[0]?.take('wsp_1 key_1')).toMatchObject({ allowed: true, left: 599 })
})

describe('C62', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'a client that waits when nothing is left is never refused, whichever of 3 processes answers (seed %d)',
    async (seed) => {
      const { replicas, clock } = rig(3)
      const next = random(seed)
      let passed = 0
      for (let at = 0; at < 4_000; at++) {
        clock.ms += Math.floor(next() * 20)
        const standing = await replicas[Math.floor(next() * 3)]?.take('a')
        expect(standing?.allowed).toBe(true)
        passed += 1
        if (standing?.left === 0) clock.ms += standing.restSeconds * 1_000
      }
      expect(passed).toBe(4_000)
    },
  )

  test('what is given back can be used again', async () => {
    const { replicas } = rig(1, { requests: 10 })
    for (let at = 0; at < 100; at++) {
      const standing = await replicas[0]?.take('a')
      expect(standing).toMatchObject({ allowed: true, left: 9 })
      expect(standing?.giveBack().left).toBe(10)
    }
  })
})

test('without the database a process counts alone, and asks it again later', async () => {
  let asked = 0
  let away = true
  const store: QuotaStore = {
    count: async (_, wanted) => {
      asked += 1
      if (away) throw new Error('away')
      return { used: wanted, restMs: windowMs }
    },
  }
  const clock = { ms: 0 }
  const quotas = createRequestQuotas({ requests, windowMs, store, logger, nowMs: () => clock.ms })
  let passed = 0
  for (let at = 0; at < 1_000; at++) if ((await quotas.take('a')).allowed) passed += 1
  expect([asked, passed]).toEqual([1, 630])
  away = false
  clock.ms = windowMs
  expect(await quotas.take('a')).toMatchObject({ allowed: true, left: 599 })
  expect(asked).toBe(2)
})

test('regression: a database that is away is told once, however many callers wait for its answer and however long', async () => {
  const told: string[] = []
  const listening = { ...logger, warn: (_: object, message: string) => told.push(message) } as unknown as typeof logger
  const clock = { ms: 0 }
  let away = true
  const store: QuotaStore = {
    count: async (_, wanted) => {
      if (away) throw new Error('away')
      return { used: wanted, restMs: windowMs }
    },
  }
  const quotas = createRequestQuotas({ requests, windowMs, store, logger: listening, nowMs: () => clock.ms })
  const takeAll = () => Promise.all(Array.from({ length: 50 }, (_, at) => quotas.take(`wsp_1 key_${at}`)))
  await takeAll()
  expect(told).toHaveLength(1)
  clock.ms = windowMs
  await takeAll()
  expect(told).toHaveLength(1)
  for (const isAway of [false, true]) {
    away = isAway
    clock.ms += windowMs
    await takeAll()
  }
  expect(told).toHaveLength(2)
})

test('without a client it is counted by address, of IPv6 by the network', () => {
  expect(callerAt('192.0.2.7')).toBe('address 192.0.2.7')
  expect(callerAt('::ffff:192.0.2.7')).toBe('address 192.0.2.7')
  expect(callerAt('2001:db8:1:2:3:4:5:6')).toBe('address 2001:db8:1:2::/64')
  expect(callerAt('2001:db8::1')).toBe('address 2001:db8:0:0::/64')
  expect(callerAt('fe80::1%eth0')).toBe('address fe80:0:0:0::/64')
  expect(callerAt('::1')).toBe('address 0:0:0:0::/64')
})

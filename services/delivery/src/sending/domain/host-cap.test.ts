import { describe, expect, test } from '@jest/globals'
import { createHostCap, type HostLimits, isLoopbackHost } from './host-cap.ts'

const limits: HostLimits = { requestsPerSecond: 500, sockets: 256, isExempt: (name) => name === 'hooks.shared.test' }
const victim = 'https://victim.test/a'

/** Of workspaces that take turns, so that none has too many. */
function capOf(o: HostLimits) {
  const cap = createHostCap(o)
  let nth = 0
  const enter = (url: string, nowMs: number) => {
    nth += 1
    return cap.enter({ url, workspaceId: `wsp_${nth % 4}` }, nowMs)
  }
  return { enter }
}

describe('XB10: requests of a worker to one host', () => {
  test('500 a second and a tenth of it at once, and no fewer', () => {
    const cap = capOf(limits)
    const madeAt: number[] = []
    for (let ms = 0; ms < 10_000; ms += 1) {
      for (let nth = 0; nth < 4; nth += 1) {
        const leave = cap.enter(`https://victim.test:${8000 + nth}/${ms}`, ms)
        if (leave) madeAt.push(ms)
        leave?.()
      }
    }
    expect(madeAt.length).toBeGreaterThanOrEqual(5_000)
    expect(madeAt.length).toBeLessThanOrEqual(5_051)
    for (const [nth, ms] of madeAt.entries())
      expect((madeAt[nth + 551] ?? Number.POSITIVE_INFINITY) - ms).toBeGreaterThanOrEqual(1_000)
  })

  test('256 in progress; the next begins when one ends', () => {
    const cap = capOf(limits)
    const leaves = Array.from({ length: 256 }, (_, nth) => cap.enter(victim, nth * 10))
    expect(leaves).not.toContain(null)
    expect(cap.enter(victim, 10_000)).toBeNull()
    leaves[0]?.()
    expect(cap.enter(victim, 10_000)).not.toBeNull()
    expect(cap.enter(victim, 20_000)).toBeNull()
  })

  test('regression: one workspace leaves a quarter of them to others, where its attempts that hang could have all', () => {
    const cap = createHostCap(limits)
    const enter = (workspaceId: string, nth: number) => cap.enter({ url: victim, workspaceId }, nth * 10)
    const leaves = Array.from({ length: 192 }, (_, nth) => enter('wsp_hangs', nth))
    expect(leaves).not.toContain(null)
    expect(enter('wsp_hangs', 200)).toBeNull()
    expect(Array.from({ length: 64 }, (_, nth) => enter('wsp_other', 300 + nth))).not.toContain(null)
    expect(enter('wsp_other', 400)).toBeNull()
    leaves[0]?.()
    leaves[1]?.()
    expect([enter('wsp_hangs', 500), enter('wsp_third', 501), enter('wsp_third', 502)]).toEqual([
      expect.any(Function),
      expect.any(Function),
      null,
    ])
  })

  test('few places are not kept for others where they would be none for the first', () => {
    for (const sockets of [1, 2, 3]) {
      const cap = createHostCap({ ...limits, sockets })
      const one = () => cap.enter({ url: victim, workspaceId: 'wsp_1' }, 0)
      expect(Array.from({ length: sockets }, one)).not.toContain(null)
      expect(one()).toBeNull()
    }
  })

  test('each host by itself; a shared host that is exempt has no limit', () => {
    const cap = capOf({ ...limits, sockets: 1 })
    expect(cap.enter(victim, 0)).not.toBeNull()
    expect(cap.enter(victim, 1_000)).toBeNull()
    expect(cap.enter('https://other.test/', 0)).not.toBeNull()
    for (let nth = 0; nth < 1_000; nth += 1) expect(cap.enter('https://HOOKS.shared.test/', 0)).not.toBeNull()
  })

  test('loopback is this machine, whatever other names look like it', () => {
    const own = ['localhost', 'a.localhost', '127.0.0.1', '127.1.2.3', '[::1]']
    const others = ['127.0.0.1.victim.test', 'localhost.victim.test', '128.0.0.1', '127.victim.test', '[::2]']
    expect([...own, ...others].filter(isLoopbackHost)).toEqual(own)
  })

  test('hosts that are quiet are forgotten, one that is not keeps its count', () => {
    const cap = capOf({ ...limits, sockets: 1 })
    expect(cap.enter(victim, 0)).not.toBeNull()
    expect(cap.enter('https://other.test/', 120_000)).not.toBeNull()
    expect(cap.enter(victim, 120_000)).toBeNull()
  })
})

import { describe, expect, test } from '@jest/globals'
import { createHostCap, type HostLimits, isLoopbackHost } from './host-cap.ts'

const limits: HostLimits = { requestsPerSecond: 500, sockets: 256, isExempt: (name) => name === 'hooks.shared.test' }
const victim = 'https://victim.test/a'

describe('XB10: requests of a worker to one host', () => {
  test('500 a second and a tenth of it at once, and no fewer', () => {
    const cap = createHostCap(limits)
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
    const cap = createHostCap(limits)
    const leaves = Array.from({ length: 256 }, (_, nth) => cap.enter(victim, nth * 10))
    expect(leaves).not.toContain(null)
    expect(cap.enter(victim, 10_000)).toBeNull()
    leaves[0]?.()
    expect(cap.enter(victim, 10_000)).not.toBeNull()
    expect(cap.enter(victim, 20_000)).toBeNull()
  })

  test('each host by itself; a shared host that is exempt has no limit', () => {
    const cap = createHostCap({ ...limits, sockets: 1 })
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
    const cap = createHostCap({ ...limits, sockets: 1 })
    expect(cap.enter(victim, 0)).not.toBeNull()
    expect(cap.enter('https://other.test/', 120_000)).not.toBeNull()
    expect(cap.enter(victim, 120_000)).toBeNull()
  })
})

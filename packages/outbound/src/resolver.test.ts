// The resolver's rules over scripted answers: limits, what is kept how long, and whose fault a failure is.
import { describe, expect, test } from '@jest/globals'
import { createResolver, type DnsQuestions } from './resolver.ts'

type Answer = string[] | { code: string } | 'silent'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

function scripted(answers: Record<string, { a?: Answer; aaaa?: Answer }>, o: { ttl?: number; isAlive?: boolean } = {}) {
  const asked: string[] = []
  const give = async (answer: Answer | undefined): Promise<{ address: string; ttl: number }[]> => {
    if (answer === 'silent') return await new Promise(() => {})
    if (answer === undefined) throw failure('ENODATA')
    if (!Array.isArray(answer)) throw failure(answer.code)
    return answer.map((address) => ({ address, ttl: o.ttl ?? 60 }))
  }
  const questions: DnsQuestions = {
    resolve4: (name) => {
      asked.push(name)
      return give(answers[name]?.a)
    },
    resolve6: (name) => give(answers[name]?.aaaa),
    resolveNs: async () => {
      if (o.isAlive === false) throw failure('ECONNREFUSED')
      return []
    },
  }
  return { asked, questions }
}

describe('createResolver', () => {
  test('A and AAAA answers are both returned, one family may be absent', async () => {
    const { questions } = scripted({
      both: { a: ['8.8.8.8'], aaaa: ['2606:4700::1'] },
      six: { aaaa: ['2606:4700::2'] },
    })
    const resolver = createResolver({ questions })
    expect(await resolver.resolve('both')).toEqual({ ok: true, addresses: ['8.8.8.8', '2606:4700::1'] })
    expect(await resolver.resolve('six')).toEqual({ ok: true, addresses: ['2606:4700::2'] })
  })

  test('answers are kept for min(TTL, 30 s), failures for 5 s, faults of our own not at all', async () => {
    let nowMs = 0
    const script = {
      long: { a: ['8.8.8.8'] },
      gone: { a: { code: 'ENOTFOUND' } },
      ours: { a: { code: 'ECONNREFUSED' } },
    }
    const { asked, questions } = scripted(script, { ttl: 3_600 })
    const resolver = createResolver({ questions, nowMs: () => nowMs })
    const at = async (ms: number, name: string): Promise<number> => {
      nowMs = ms
      asked.length = 0
      await resolver.resolve(name)
      return asked.length
    }
    expect([await at(0, 'long'), await at(29_999, 'long'), await at(30_000, 'long')]).toEqual([1, 0, 1])
    expect([await at(40_000, 'gone'), await at(44_999, 'gone'), await at(45_000, 'gone')]).toEqual([1, 0, 1])
    expect([await at(50_000, 'ours'), await at(50_001, 'ours')]).toEqual([1, 1])
    const short = scripted({ short: { a: ['8.8.8.8'] } }, { ttl: 0 })
    const eager = createResolver({ questions: short.questions, nowMs: () => nowMs })
    await eager.resolve('short')
    await eager.resolve('short')
    expect(short.asked).toHaveLength(2)
  })

  test('equal look-ups under way are one', async () => {
    const { asked, questions } = scripted({ a: { a: ['8.8.8.8'] } })
    const resolver = createResolver({ questions })
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('a')))
    expect(asked).toHaveLength(1)
  })

  test('F36: a name without addresses is not_found; failing servers and more than 16 answers are failed', async () => {
    const { questions } = scripted({
      absent: { a: { code: 'ENOTFOUND' }, aaaa: { code: 'ENOTFOUND' } },
      broken: { a: { code: 'ESERVFAIL' }, aaaa: { code: 'ESERVFAIL' } },
      many: { a: Array.from({ length: 17 }, (_, i) => `8.8.8.${i}`) },
      thousand: { a: Array.from({ length: 1_000 }, (_, i) => `8.8.${i >> 8}.${i & 255}`) },
      enough: { a: Array.from({ length: 16 }, (_, i) => `8.8.8.${i}`) },
    })
    const resolver = createResolver({ questions })
    expect(await resolver.resolve('absent')).toEqual({ ok: false, fault: 'not_found' })
    expect(await resolver.resolve('nodata')).toEqual({ ok: false, fault: 'not_found' })
    for (const name of ['broken', 'many', 'thousand'])
      expect(await resolver.resolve(name)).toEqual({ ok: false, fault: 'failed' })
    expect(await resolver.resolve('enough')).toMatchObject({ ok: true })
  })

  test('F36: silence is the name\u2019s fault while our servers answer others, and ours when they do not', async () => {
    const names = { quiet: { a: 'silent', aaaa: 'silent' } } as const
    const alive = createResolver({ questions: scripted(names).questions, timeoutMs: 150 })
    expect(await alive.resolve('quiet')).toEqual({ ok: false, fault: 'failed' })
    const down = createResolver({ questions: scripted(names, { isAlive: false }).questions, timeoutMs: 150 })
    expect(await down.resolve('quiet')).toEqual({ ok: false, fault: 'ours' })
  })

  test('localhost and names below it are loopback without any question', async () => {
    const { asked, questions } = scripted({})
    const resolver = createResolver({ questions })
    for (const name of ['localhost', 'a.localhost']) {
      expect(await resolver.resolve(name)).toEqual({ ok: true, addresses: ['127.0.0.1', '::1'] })
    }
    expect(asked).toHaveLength(0)
  })

  test('servers that refuse the question are our own fault', async () => {
    const resolver = createResolver({ servers: ['127.0.0.1:9'], timeoutMs: 600 })
    expect(await resolver.resolve('a.acme.io')).toEqual({ ok: false, fault: 'ours' })
  })
})

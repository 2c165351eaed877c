// Of the nightly run (test-e2e/faults/README.md): a broker of its own that is restarted, wiped and set back.
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals'
import { caseTimeoutMs, newRecord, unique, until } from './conformance-harness.ts'
import { idsOf, lossCases } from './conformance-losses.ts'
import { startOwnBroker } from './own-broker.fixture.ts'
import type { NewLogRecord } from './port.ts'

jest.setTimeout(caseTimeoutMs)

const own = await startOwnBroker()
const suite = own ? describe : describe.skip

suite('a broker of its own', () => {
  const { broker, end } = own ?? (null as never)
  afterEach(() => broker.start())
  afterAll(() => end())

  const { topic, told, openLog, consume, publish, effects } = lossCases({
    brokers: broker.brokers,
    async loseAll() {
      await broker.wipe()
      await broker.start()
    },
    remember: () => broker.remember(),
  })
  /** What took effect of the given records. */
  const effectsOf = async (name: string, sent: NewLogRecord[]) => {
    const wanted = new Set(idsOf(sent))
    return (await effects(name)).filter((id) => wanted.has(id))
  }

  test.each([
    ['clean', () => broker.stop()],
    ['hard', () => broker.kill()],
  ])('F10: a broker that is restarted (%s) under load loses nothing and repeats nothing', async (_, down) => {
    const log = openLog()
    const name = unique('restart')
    await consume(log, name)
    const sent: NewLogRecord[] = []
    let working = true
    const sending = (async () => {
      while (working) {
        const records = Array.from({ length: 20 }, (_, k) => newRecord(topic(), `wsp_${k % 13}`))
        await publish(log, records)
        sent.push(...records)
      }
    })()
    await until(async () => sent.length > 0 && (await effectsOf(name, sent)).length > 0)
    await down()
    await broker.start()
    const before = sent.length
    await until(async () => sent.length > before + 100)
    working = false
    await sending
    await until(async () => (await effectsOf(name, sent)).length >= sent.length)
    expect(await effectsOf(name, sent)).toEqual(idsOf(sent))
  })

  test('what kafkajs calls errors while a broker comes and goes is told once per change of state', async () => {
    const log = openLog()
    await consume(log, unique('quiet'))
    await broker.stop()
    await until(async () => told().some(({ message }) => message === 'Kafka consumer failed, reconnecting'))
    await broker.start()
    await until(async () => told().some(({ message }) => message === 'Kafka consumer recovered'))
    expect(told().filter(({ level }) => level === 'error')).toEqual([])
    expect(told().filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(2)
  })
})

// Records of an NDJSON file, as far as rows.test.ts does not judge their rows.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { ndjsonRecords } from './ndjson-source.ts'
import type { SourceRecord } from './source.ts'

const rules = {
  granularity: 'day' as const,
  zone: 'UTC',
  currency: 'EUR',
  today: '2026-03-01',
  onUnknownCampaign: 'create' as const,
  knowsCampaign: () => true,
}

test('regression: records of long lines are held without their lines', async () => {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  async function* lines() {
    for (let nth = 0; nth < 400; nth += 1) {
      const campaign = `a campaign of the spring, ${nth}`
      yield Buffer.from(`{"date":"2026-01-01",${' '.repeat(60_000)}"campaign":"${campaign}","clicks":1}\n`)
    }
  }
  collect()
  const before = process.memoryUsage().heapUsed
  const records: SourceRecord[] = []
  for await (const record of ndjsonRecords({ bytes: lines(), mapping: null, rules })) records.push(record)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8_000_000)
  expect(records.map(({ line, checked }) => [line, checked?.ok])).toEqual(records.map((_, nth) => [nth + 1, true]))
  expect(records).toHaveLength(400)
})

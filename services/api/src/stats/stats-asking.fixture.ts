// What suites of stats queries share: rows that are uploaded and read, answers, and a clock moved past the rest of backfilled days.
import assert from 'node:assert/strict'
import { createPool } from '@wds/postgres/pool'
import { startFixture } from '../api-service.fixture.ts'

export type Row = Record<string, unknown>
export type Asking = Awaited<ReturnType<typeof startAsking>>

export const hourMs = 3_600_000
export const iso = (ms: number): string => new Date(ms).toISOString()
/** Dates from one on. */
export const days = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => iso(Date.parse(`${from}T00:00Z`) + at * 24 * hourMs).slice(0, 10))

export async function startAsking() {
  const fixture = await startFixture()
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * hourMs}`
  const later = createPool({ connectionString: url, applicationName: 'test-later', max: 2 })
  return {
    fixture,
    later,
    /** The id of a new integration whose rows are those of the file. */
    async withRows(fields: object, csv: string): Promise<string> {
      const id = await fixture.createIntegration({ name: 'Parameters', ...fields })
      const sent = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
      assert.equal(sent.status, 202, sent.text)
      await fixture.work()
      return id
    },
    async ask(query: string): Promise<{ data: Row[]; totals: Row[]; meta: Row }> {
      const { status, text, body } = await fixture.call('GET', `/v1/stats?limit=1000&${query}`)
      assert.equal(status, 200, text)
      return body as never
    },
    async stop(): Promise<void> {
      await later.end()
      await fixture.stop()
    },
  }
}

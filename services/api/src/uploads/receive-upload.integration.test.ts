// What a client is told of an upload whose chunks cannot be removed.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

const lines: string[] = []
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ onLine: (line) => lines.push(line) })
  await fixture.adminPool.query(
    `create function api.refuse_delete() returns trigger language plpgsql as $$ begin raise 'not removable'; end $$;
     create trigger refuse_delete before delete on api.import_chunks execute function api.refuse_delete()`,
  )
})
beforeEach(() => void lines.splice(0))
afterAll(() => fixture?.stop())

async function upload(id: string, csv: Buffer, headers: Record<string, string> = {}) {
  return fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv, headers })
}

const stays = () =>
  lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('chunks of an upload')) as object[]
const told = {
  level: 'warn',
  workspace_id: expect.stringMatching(/^wsp_/),
  import_id: expect.stringMatching(/^imp_/),
  request_id: expect.stringMatching(/^req_/),
  err: expect.objectContaining({ message: 'not removable' }),
}

test('regression: whoever sends a body that breaks off is told so, also where its chunks stay: their fault had been told, as a 500', async () => {
  const id = await fixture.createIntegration({ name: 'Uploads' })
  const whole = gzipSync(
    `date,clicks\n${Array.from({ length: 100_000 }, (_, nth) => `2026-01-01,${nth * 7_919}\n`).join('')}`,
  )
  const answer = await upload(id, whole.subarray(0, whole.length - 8), { 'content-encoding': 'gzip' })
  expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
    400,
    'invalid_request',
    'The body is not valid gzip, or was cut off.',
  ])
  expect(stays()).toEqual([expect.objectContaining(told)])
})

test('regression: a repeated upload gets the answer of the first one, also where its own chunks stay', async () => {
  const id = await fixture.createIntegration({ name: 'Uploads' })
  const headers = { 'idempotency-key': `k-${id}` }
  const csv = Buffer.from('date,clicks\n2026-01-01,1\n')
  const first = await upload(id, csv, headers)
  const again = await upload(id, csv, headers)
  expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id])
  expect(stays()).toEqual([expect.objectContaining(told)])
})

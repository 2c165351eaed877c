// What the schemas say to a start: one that lacks a migration of the code refuses it, one that has more does not, and one out of reach holds it back.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type TestPorts, takeTestPorts } from '@wds/local-infra/test-ports'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { type RunningService, startService } from './start-service.ts'

let home: Awaited<ReturnType<typeof createGadgetHome>>
let ports: TestPorts
let running: RunningService | null = null
const signal = new AbortController().signal

beforeAll(async () => {
  ports = await takeTestPorts()
  home = await createGadgetHome()
})
afterEach(async () => {
  await running?.stop()
  running = null
})
afterAll(async () => {
  ports?.release()
  await home?.close()
})

describe('a start over its schemas', () => {
  test.each(['http', 'worker'])(
    'K60: a schema that lacks a migration of the code refuses the role %s',
    async (role) => {
      const folder = join(home.folder, 'newer')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, '0901-newer.sql'), '-- breaking: no\nselect 1;\n')
      const migrations = [...gadgetService().migrations, pathToFileURL(`${folder}/`)]
      const start = startService(gadgetService({ migrations }), { values: home.values({ WDS_ROLE: role }), signal })
      await expect(start).rejects.toThrow(
        'the schema api lacks 1 migrations of this code, first 0901-newer.sql: run migrate',
      )
      expect(await home.connectionsLeft()).toBe(0)
    },
  )

  test('regression: a log in Postgres that lacks a migration of the code refuses the worker, not the HTTP side', async () => {
    const name = '0001-log.sql'
    await home.admin.query('delete from log.migrations where name = $1', [name])
    try {
      const worker = startService(gadgetService(), { values: home.values({ WDS_ROLE: 'worker' }), signal })
      await expect(worker).rejects.toThrow(
        `the schema log lacks 1 migrations of this code, first ${name}: migrate it as its owner`,
      )
      running = await startService(gadgetService(), { values: home.values({ WDS_ROLE: 'http' }), signal })
    } finally {
      await home.admin.query('insert into log.migrations (name, batch) values ($1, 1)', [name])
    }
  })

  test('a schema that has more than the code knows is served: old and new run side by side', async () => {
    await home.admin.query("insert into api.migrations (name, batch) values ('9999-newer.sql', 99)")
    running = await startService(gadgetService(), { values: home.values(), signal })
    await home.admin.query("delete from api.migrations where name = '9999-newer.sql'")
  })

  test('a database that is away holds the start back until it is called off', async () => {
    const nowhere = `postgres://wds_api@127.0.0.1:${await ports.next()}/nowhere`
    const values = home.values({
      DATABASE_URL: nowhere,
      WDS_ROLE: 'http',
      WDS_MANAGEMENT_PORT: String(await ports.next()),
    })
    const ending = new AbortController()
    const start = startService(gadgetService(), { values, signal: ending.signal })
    const management = `http://127.0.0.1:${values.WDS_MANAGEMENT_PORT}`
    const statusOf = (path: string) =>
      fetch(management + path).then(
        ({ status }) => status,
        () => null,
      )
    while ((await statusOf('/livez')) !== 200);
    expect(await statusOf('/readyz')).toBe(503)
    ending.abort()
    await expect(start).rejects.toThrow('aborted')
  })
})

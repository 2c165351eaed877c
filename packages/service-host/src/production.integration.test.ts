// A start of the production profile that is not refused, on a server with durable settings: the other tests' server has none.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startPostgres } from '@wds/local-infra/postgres-server'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { readServiceSettings } from './read-settings.ts'
import { startService } from './start-service.ts'

const usual = process.env.WDS_TEST_POSTGRES_URL
let folder: string
let server: Awaited<ReturnType<typeof startPostgres>>
let home: Awaited<ReturnType<typeof createGadgetHome>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wds-production-'))
  // The server's own account goes through it to its data, which are private.
  chmodSync(folder, 0o755)
  server = await startPostgres({
    dataDirectory: join(folder, 'pg'),
    port: await (await takeTestPorts()).next(),
    onNotice: () => undefined,
  })
  process.env.WDS_TEST_POSTGRES_URL = server.adminUrl
  home = await createGadgetHome()
})
afterAll(async () => {
  await home?.close()
  await server?.stop()
  process.env.WDS_TEST_POSTGRES_URL = usual
  rmSync(folder, { recursive: true, force: true })
})

test('production starts with safe settings, and serves what a listed proxy got over TLS', async () => {
  const env = { ...home.env, WDS_BASE_URL: 'https://api.example', WDS_TRUSTED_PROXIES: '127.0.0.1' }
  const values = readServiceSettings(gadgetService(), { env, execArgv: [] })
  const running = await startService(gadgetService(), { values, signal: new AbortController().signal })
  try {
    const statusOver = async (proto: string) => {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-for': '203.0.113.9' }
      return (await fetch(`http://127.0.0.1:${running.port}/v1/gadgets`, { headers })).status
    }
    expect([await statusOver('https'), await statusOver('http')]).toEqual([401, 400])
  } finally {
    await running.stop()
  }
})

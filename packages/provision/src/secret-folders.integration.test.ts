// What an installation begins with: folders of secrets that open the database, and that a second call leaves as they are.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { serviceNames } from './provision.ts'
import { makeSecrets } from './secret-folders.ts'

const clusterUrl = new URL(process.env.WDS_TEST_POSTGRES_URL ?? '')
const name = `test_${randomBytes(8).toString('hex')}`
const adminUrl = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href
const folder = mkdtempSync(join(tmpdir(), 'wds-secrets-'))

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  await ask(clusterUrl.href, `create database ${name}`)
  // Roles belong to the cluster, which other suites use with these passwords.
  mkdirSync(join(folder, 'passwords'))
  const roles = serviceNames.flatMap((service) => [`wds_${service}_owner`, `wds_${service}`, `wds_${service}_worker`])
  for (const role of ['wds_log_owner', ...roles])
    writeFileSync(join(folder, 'passwords', role), createHmac('sha256', clusterUrl.password).update(role).digest('hex'))
  await makeSecrets({ adminUrl, folder })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await ask(clusterUrl.href, `drop database if exists ${name} with (force)`)
})

const files = (): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )

test('each Secret of k8s/ has its folder, and each address in it opens the database as its own role', async () => {
  for (const service of serviceNames) {
    const roles = { 'database-url': '', 'worker-database-url': '_worker' }
    for (const [file, suffix] of Object.entries(roles)) {
      const [row] = await ask(files().get(`${service}-secrets/${file}`) ?? '', 'select current_user::text as role')
      expect(row).toEqual({ role: `wds_${service}${suffix}` })
    }
    const [row] = await ask(
      files().get(`${service}-owner/owner-database-url`) ?? '',
      'select current_user::text as role',
    )
    expect(row).toEqual({ role: `wds_${service}_owner` })
  }
})

test('keys are 32 bytes and differ, the internal token is one, and nobody else can read a file', () => {
  const keys = [...files()].filter(([path]) => /(?:cursor|encryption)-key$/.test(path)).map(([, text]) => text)
  expect(keys.map((text) => Buffer.from(text, 'base64').length)).toEqual(keys.map(() => 32))
  expect(new Set(keys).size).toBe(keys.length)
  const tokens = [...files()].filter(([path]) => path.endsWith('-secrets/internal-token')).map(([, text]) => text)
  expect([tokens.length, new Set(tokens).size]).toEqual([3, 1])
  for (const path of files().keys())
    if (!path.startsWith('passwords/wds_'))
      expect([path, statSync(join(folder, path)).mode & 0o777]).toEqual([path, 0o600])
})

test('a second call changes nothing, and pods may be told another way to the database', async () => {
  const before = files()
  await makeSecrets({ adminUrl, folder })
  expect(files()).toEqual(before)
  const other = (url: string) => url.replace(/@.*/, '@postgres-rw:5432/workspace_data?sslmode=verify-full')
  await makeSecrets({ adminUrl, folder, addressOf: other })
  expect(files().get('auth-secrets/database-url')).toMatch(
    /^postgres(?:ql)?:\/\/wds_auth:.+@postgres-rw:5432\/workspace_data\?sslmode=verify-full$/,
  )
})

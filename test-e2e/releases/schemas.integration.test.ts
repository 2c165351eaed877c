/**
 * F51 of reliability.md, the half of the tables: what a release stored is carried over by the migrations since then, and read by the present
 * program. Needs no history: the release's SQL is kept.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { logMigrations } from '@wds/event-log/postgres-log'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool } from '@wds/postgres/pool'
import { describeSchema } from '@wds/postgres/schema-description'
import pg from 'pg'
import type { AnyAggregate } from '../../packages/aggregate/src/aggregate.ts'
import { checkRows, type RowDifference } from '../../packages/aggregate/src/row-check.ts'
import { migrationDirectories as ofApi } from '../../services/api/src/migration-directories.ts'
import { migrationDirectories as ofAuth } from '../../services/auth/src/migration-directories.ts'
import { migrationDirectories as ofCatalog } from '../../services/catalog/src/migration-directories.ts'
import { migrationDirectories as ofDelivery } from '../../services/delivery/src/migration-directories.ts'
import { aggregates, type GoldenLog } from '../golden-logs/golden-log.ts'
import { goldenLogOf, readReleases, root, unpackSql } from './releases.ts'

const schemas = {
  log: { directories: logMigrations, description: 'packages/event-log/src/log-migrations/schema.txt' },
  auth: { directories: ofAuth, description: 'services/auth/src/migrations/schema.txt' },
  api: { directories: ofApi, description: 'services/api/src/migrations/schema.txt' },
  catalog: { directories: ofCatalog, description: 'services/catalog/src/migrations/schema.txt' },
  delivery: { directories: ofDelivery, description: 'services/delivery/src/migrations/schema.txt' },
} as const
type Schema = keyof typeof schemas
const names = Object.keys(schemas) as Schema[]

/** Columns may stand in another order: migrations of a lower number may have come later. */
const inAnyOrder = (description: string) => description.split('\n').toSorted()

describe.each(readReleases())('F51: the schemas of $version', ({ version }) => {
  let folder: string
  let database: TestDatabase
  let admin: pg.Client
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wds-release-sql-'))
    unpackSql(version, folder)
    database = await createTestDatabase()
    admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    await database?.drop()
    rmSync(folder, { recursive: true })
  })

  /** The folders of now, as they were then; one that is newer was not there. */
  const ofThen = (directories: URL[]) =>
    directories
      .map((directory) => join(folder, relative(root, fileURLToPath(directory))))
      .filter((directory) => existsSync(directory))
      .map((directory) => pathToFileURL(`${directory}/`))
  const ownerOf = (schema: Schema) => (schema === 'log' ? database.urls.log : database.urls.services[schema]).owner
  const apply = (schema: Schema, directories: URL[]) =>
    migrate({ connectionString: ownerOf(schema), schema, directories })

  /** Each in a workspace of its own, since they come of many. */
  async function storeStreams({ streams }: GoldenLog): Promise<number> {
    let stored = 0
    for (const [nth, { service, streamType, streamId, events }] of streams.entries())
      for (const [at, { type, data }] of events.entries()) {
        await admin.query(
          `insert into ${service}.stream_events
             (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created, actor, correlation, traceparent)
           values ($1, $2, $3, $4, $5, $6, $7, '2026-11-01', 'system', 'req_of_then', '')`,
          [
            streamId.startsWith('wsp_') ? streamId : `wsp_${nth}`,
            streamType,
            streamId,
            at + 1,
            `evt_${nth}_${at}`,
            type,
            data,
          ],
        )
        stored += 1
      }
    return stored
  }

  test('become those of now by the migrations since then, and the present program makes every row of what was stored', async () => {
    for (const schema of names) {
      await apply(schema, ofThen(schemas[schema].directories))
      const then = readFileSync(join(folder, schemas[schema].description), 'utf8')
      expect(await describeSchema(admin, schema)).toBe(then)
    }
    const log = JSON.parse(gunzipSync(readFileSync(goldenLogOf(version))).toString('utf8')) as GoldenLog
    const stored = await storeStreams(log)

    for (const schema of names) {
      await apply(schema, [...schemas[schema].directories])
      const now = readFileSync(join(root, schemas[schema].description), 'utf8')
      expect(inAnyOrder(await describeSchema(admin, schema))).toEqual(inAnyOrder(now))
    }
    let read = 0
    for (const service of ['auth', 'api', 'delivery'] as const) {
      // Rows refer to people and brands, which are no streams, and to what is another stream here.
      const worker = new URL(database.urls.services[service].worker).username
      await admin.query(`alter role ${worker} in database ${database.name} set session_replication_role = 'replica'`)
      const pool = createPool({ connectionString: database.urls.services[service].worker, applicationName: 'rows' })
      try {
        const own = [...aggregates].flatMap(([name, one]): AnyAggregate[] =>
          name.startsWith(`${service} `) ? [one] : [],
        )
        const left: RowDifference[] = []
        const check = (rebuild: boolean) =>
          checkRows({
            pool,
            aggregates: own,
            rebuild,
            report: (found) => {
              if (found.unmended !== null) left.push(found)
            },
          })
        read += (await check(true)).events
        await check(false)
        expect(left).toEqual([])
      } finally {
        await pool.end()
      }
    }
    expect(read).toBe(stored)
  })
})

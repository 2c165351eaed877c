/**
 * F21: the primary of Postgres is killed under load and its synchronous standby takes over at the same address. The old primary comes
 * back and acknowledges nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import type { PostgresStandby } from '@wds/local-infra/postgres-standby'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import type { FaultProxy } from '../../harness/fault-proxy.ts'
import { startOwnPostgresAgain, startOwnStandby } from '../../harness/own-postgres.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo } from '../../harness/undo.ts'
import { breachesOf } from '../checkers/checker.ts'
import { latencies, report, type Write } from '../rig/load.ts'
import { requireEndInOrder } from '../rig/require-whole.ts'
import { type Rig, startRig } from '../rig/rig.ts'

/** Slots of delivery: attempts whose outcome is lost with the primary are repeated. */
const underWayMax = 16

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('a failover of Postgres', () => {
  const { undo, stop } = createUndo()
  const proxies = {} as Record<ServiceName, FaultProxy>
  let rig: Rig
  let primary: PostgresServer
  let standby: PostgresStandby
  let writes: Write[] = []

  beforeAll(async () => {
    const delivery = { WDS_DELIVERY_SLOTS: String(underWayMax), WDS_DELIVERY_DEADLINE: '2s', WDS_DELIVERY_LEASE: '6s' }
    rig = await startRig({ proxies, ownPostgres: true, envOf: { delivery } })
    undo.push(() => rig.stop())
    primary = rig.stack.postgres as PostgresServer
    standby = await startOwnStandby({ ...rig.stack, postgres: primary }, { synchronous: true, undo })
    // Before the server that the services are on by then.
    undo.push(() => rig.stop())
  })
  afterAll(stop)

  const said = () => Object.values(rig.services).map((service) => service.output())

  /** Not one of those that the checker counts. */
  const canWrite = async () => {
    const json = { name: 'probe', provider: 'csv_upload', brand_slug: 'probe', currency: 'EUR' }
    return (await rig.client('/v1/integrations', { json })).status === 201
  }

  test('F21: the primary is killed amid writes: 503 until its standby is promoted, nothing acknowledged is lost, nothing is told that did not happen', async () => {
    let killedAt = Number.POSITIVE_INFINITY
    let backAt = Number.POSITIVE_INFINITY
    const failed = await rig.failedProbesDuring(async () => {
      writes = await rig.writeWhile(async () => {
        await sleep(2_000)
        killedAt = Date.now()
        await primary.kill()
        // The address leads to the standby before it is a primary: it is one that only reads.
        for (const proxy of Object.values(proxies)) proxy.moveTo({ host: '127.0.0.1', port: standby.port })
        await eventually('somebody met a server that only reads', async () =>
          said().some((output) => /during recovery|read-only transaction/.test(output)),
        )
        await standby.promote()
        const promotedAt = Date.now()
        await eventually('a write is answered', canWrite)
        backAt = Date.now()
        report(`F21: writes ${backAt - promotedAt} ms after the promotion, ${backAt - killedAt} ms after the kill`)
        await sleep(2_000)
      })
    })
    const meanwhile = writes.filter(({ at, tookMs }) => at > killedAt && at + tookMs < backAt)
    report(`F21: answers to writes meanwhile: ${latencies(meanwhile)}`)
    expect(failed).toEqual([])
    const refused = writes.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(
      [...new Set(refused.map(({ status, headers }) => `${status} ${headers?.get('retry-after')}`))].sort(),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^503 [15]$/)]))
    for (const { status } of refused) expect(status).toBe(503)
    expect(writes.at(-1)?.status).toBe(200)
    report(`F21: drained ${(await rig.drained()).toFixed(0)} ms later`)
    expect(breachesOf({ ...(await rig.history(writes)), repeatedMax: underWayMax })).toEqual([])
  })

  test.each(serviceNames)('F21: no sequence of %s gives a number anew', async (service) => {
    const owned = await rig.ask<{ sequence: string; column: string; table: string }>(
      service,
      `select s.oid::regclass::text as sequence, t.oid::regclass::text as table, quote_ident(a.attname) as column
         from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.classid = 'pg_class'::regclass
         join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
        where s.relkind = 'S' and s.relnamespace::regnamespace::text = $1`,
      [service],
    )
    expect(owned.length).toBeGreaterThan(0)
    for (const { sequence, table, column } of owned) {
      const [row] = await rig.ask<{ behind: boolean }>(
        service,
        `select coalesce((select max(${column}) from ${table}), 0) > (select last_value from ${sequence}) as behind`,
      )
      expect([sequence, row?.behind]).toEqual([sequence, false])
    }
  })

  test('F21: the old primary comes back and acknowledges nothing, since its standby is gone', async () => {
    const old = await startOwnPostgresAgain(primary)
    const pool = createPool({
      connectionString: rig.stack.adminUrls.api,
      applicationName: 'late writer',
      max: 1,
      statementTimeoutMs: 500,
    })
    try {
      const write = withTransaction(pool, { workspaceId: null }, (tx) => tx.query('create table too_late (n int)'))
      await expect(write).rejects.toMatchObject({ code: 'commit_unknown' })
      const seen = await rig.ask('api', `select from pg_class where relname = 'too_late'`)
      expect(seen).toEqual([])
    } finally {
      await pool.end()
      await old.kill()
    }
  })

  test('F21: afterwards an event goes from end to end, and no process was ended by a fault', async () => {
    await requireEndInOrder(rig)
  })
})

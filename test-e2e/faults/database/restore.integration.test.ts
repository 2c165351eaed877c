/**
 * F54: a base backup is taken under load, the load goes on, every process is killed and the database's files are removed; the backup is
 * restored and the services start again, with the log in Postgres, which went back with it, and with Kafka, which did not. What is promised
 * then stands in packages/docs/how-to/restore-a-backup.md.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { takeBaseBackup } from '@wds/local-infra/postgres-backup'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { serviceNames } from '@wds/provision/provision'
import { copyFolders, startOwnPostgresAgain } from '../../harness/own-postgres.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo } from '../../harness/undo.ts'
import { breachesOf, type History } from '../checkers/checker.ts'
import { requestBreachesOf } from '../checkers/request-checker.ts'
import { storeBreachesOf } from '../checkers/store-checker.ts'
import { report, type Write } from '../rig/load.ts'
import { readRequests, readStores } from '../rig/read-stores.ts'
import { type LogName, type Rig, startRig } from '../rig/rig.ts'
import { rowBreaches } from '../rig/row-breaches.ts'
import {
  type After,
  type Before,
  endForgottenKeys,
  makeAfter,
  makeBefore,
  type Opened,
  oneMoreInvoice,
  statusAt,
  whatOpens,
} from './restore-story.ts'

const logs: LogName[] = (await whyNoOwnBroker()) === null ? ['Postgres', 'Kafka'] : ['Postgres']
const deadlineMs = 2_000
const delaysMs = [1, 2, 4, 8, 16].map((seconds) => seconds * 1_000)
const delivery = {
  WDS_DELIVERY_DELAYS: delaysMs.map((ms) => `${ms}ms`).join(),
  WDS_DELIVERY_DEADLINE: `${deadlineMs}ms`,
  WDS_DELIVERY_LEASE: '6s',
}
const [open, shut] = [
  [200, 200, 200],
  [401, 401, 401],
]

/** What credentials open afterwards (restore-story.ts). */
const wanted: Record<LogName, Opened> = {
  // Everything went back: what was revoked since is forgotten.
  Postgres: {
    kept: [open, 200, open],
    revoked: [shut, 400, null],
    revokedLater: [open, 200, open],
    made: [open, 400, null],
    key: shut,
  },
  // What the log holds is known again to all but auth, which wrote it.
  Kafka: {
    kept: [open, 200, open],
    revoked: [shut, 400, null],
    revokedLater: [shut, 200, shut],
    made: [open, 400, null],
    key: [200, 200, 404],
  },
}

interface Times {
  /** Before the backup was whole, when everything was killed, and when all services were ready again; epoch milliseconds. */
  wholeMs: number
  killedMs: number
  backMs: number
}

describe('a restore', () => {
  const { undo, stop } = createUndo()
  afterEach(stop)

  test.each(logs)(
    'F54: a backup that was taken under load is restored: nothing acknowledged before is lost, what came since is as the page says; log in %s',
    async (log) => {
      const rig = await startRig({ log, ownPostgres: true, envOf: { delivery } })
      undo.push(() => rig.stop())
      const signed = await startFakeReceiver()
      undo.push(() => signed.close())
      const before = await makeBefore(rig, signed)
      const { writes, after, times } = await loseAndRestore(rig, before)
      report(`F54 ${log}: ready ${((times.backMs - times.killedMs) / 1_000).toFixed(1)} s after everything was killed`)
      report(`F54 ${log}: drained ${(await rig.drained()).toFixed(0)} ms after the load ended`)

      const { history, forgotten } = await historyOf(rig, writes, times)
      expect(breachesOf(history)).toEqual([])
      expect(requestBreachesOf(await readRequests(rig))).toEqual([])
      expect(storeBreachesOf(await readStores(rig, [...history.log.values()].flat()))).toEqual([])
      expect(await rowBreaches(rig.stack)).toEqual([])
      const told = await rig.ask<{ event_id: string }>(
        'delivery',
        "select event_id from delivery.deliveries where event_id = any($1) and status = 'delivered'",
        [forgotten],
      )
      expect(forgotten.length).toBeGreaterThan(0)
      expect(told).toHaveLength(log === 'Kafka' ? forgotten.length : 0)
      report(
        `F54 ${log}: ${forgotten.length} changes since the backup are forgotten, ${told.length} of them told again`,
      )

      await expectCredentials(rig, { log, before, after })
      const { number, verified } = await oneMoreInvoice(rig, before)
      expect([verified, number]).toEqual([true, after.number])
      const invoices = (await rig.client('/v1/invoices')).body.data.map((one: { number: string }) => one.number)
      expect(invoices.toSorted()).toEqual([...before.numbers, number])
    },
  )

  async function loseAndRestore(rig: Rig, before: Before): Promise<{ writes: Write[]; after: After; times: Times }> {
    const times: Times = { wholeMs: 0, killedMs: 0, backMs: 0 }
    let after: After | undefined
    const writes = await rig.writeWhile(async () => {
      await sleep(3_000)
      const backup = join(rig.stack.folder, copyFolders.backup)
      times.wholeMs = await takeBaseBackup(rig.stack.postgres as PostgresServer, backup)
      undo.push(() => rmSync(backup, { recursive: true, force: true }))
      await sleep(3_000)
      after = await makeAfter(rig, before)
      times.killedMs = Date.now()
      await Promise.all(serviceNames.map((service) => rig.services[service].kill()))
      await restore(rig, backup)
      await Promise.all(serviceNames.map((service) => rig.start(service)))
      times.backMs = Date.now()
      await whenKeyIsKnown(`${rig.url}/v1/integrations`, rig.apiKey)
      await sleep(3_000)
    })
    return { writes, after: after as After, times }
  }

  async function restore(rig: Rig, backup: string): Promise<void> {
    const lost = rig.stack.postgres as PostgresServer
    await lost.kill()
    rmSync(lost.dataDirectory, { recursive: true, force: true })
    const restored = await startOwnPostgresAgain({ dataDirectory: backup, port: lost.port })
    undo.push(async () => {
      for (const service of serviceNames) await rig.services[service].stop()
      await restored.stop()
    })
  }
})

/**
 * For the checker: of what was acknowledged since the backup nobody says whether it is there. `forgotten`: what the receiver had or the
 * log holds of it, and no stream any more.
 */
async function historyOf(rig: Rig, writes: Write[], { wholeMs, killedMs, backMs }: Times) {
  const found = await rig.history(
    writes.map((write) => {
      const isSince = write.at + write.tookMs >= wholeMs && write.at < backMs
      return isSince && write.status === 200 ? { ...write, status: 0 } : write
    }),
  )
  const known = new Set([...found.facts.values()].flat())
  const isKnown = (id: string) => known.has(id)
  const inLog = [...found.log].map(([id, ids]): [string, string[]] => [id, ids.filter(isKnown)])
  const arrivals = await rig.receiver.arrivals()
  // What arrived since the backup, or whose record was not in it yet.
  const again = arrivals.filter(([, , , at]) => at > wholeMs - deadlineMs && at < killedMs).length
  const history: History = {
    ...found,
    log: new Map(inLog),
    arrivals: found.arrivals.filter(isKnown),
    deliveries: found.deliveries.filter(({ eventId }) => isKnown(eventId)),
    delaysMs,
    unrecordedMax: again,
    repeatedMax: again + found.attempts.filter(({ hasSucceeded }) => !hasSucceeded).length,
  }
  const all = new Set([...found.arrivals, ...[...found.log.values()].flat()])
  return { history, forgotten: [...all].filter((id) => !isKnown(id)) }
}

async function expectCredentials(rig: Rig, o: { log: LogName; before: Before; after: After }): Promise<void> {
  expect(await whatOpens(rig, o.before, o.after)).toEqual(wanted[o.log])
  await endForgottenKeys(rig)
  for (const service of ['api', 'delivery', 'auth'] as const)
    await eventually(`${service} refuses it`, async () => (await statusAt(rig, service, o.after.apiKey)) === 401)
  expect(await statusAt(rig, 'api', rig.apiKey)).toBe(200)
}

// Brings what decides about callers into memory, and says what a start waits for when that takes long.
import { createAccessDirectory } from '@wds/access/access-directory'
import { announceEveryMs, createKeyUses } from '@wds/access/key-uses'
import { type EndUnseen, whyEndUnseen } from '@wds/access/projection'
import type { Clock } from '@wds/pacing/clock'
import { systemClock } from '@wds/pacing/clock'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { authClientOf } from './auth-client-of.ts'
import type { Health } from './health.ts'
import { runLoop } from './loop.ts'
import type { HttpContext } from './service.ts'
import type { ServiceValues } from './service-settings.ts'

/** A start after which the first line tells what it waits for: a worker that is well sees the end of the log every second. */
const firstWarningMs = 10_000
/** Between the lines that follow: one of them stands in the 15 minutes that the runbook looks at. */
const warningEveryMs = 300_000

/** What a start waits for, and where to look. `docs/runbook/deployment-unavailable.md` goes by these words. */
const waitsFor: Record<EndUnseen, { waits_for: string; look_at: string }> = {
  records_lost: {
    waits_for: 'a minute without records of auth.events that the log lost',
    look_at: 'the runbook page of LogLostRecords; until it is mended no process of this service starts to serve',
  },
  auth_unheard: {
    waits_for: "auth's word, heard by a worker of this service that has read auth.events to its end",
    look_at:
      "whether that worker reaches the address of WDS_AUTH_INTERNAL_URL and the log (its lines of confirm-log-end), and whether auth's worker publishes (wds_outbox_age_seconds)",
  },
  unread: {
    waits_for: 'a worker of this service that reads auth.events to its end',
    look_at: 'whether a worker of this service runs, and its log',
  },
}

/** Resolves with who judges callers once the tables are in memory, and unless `isAskedWithoutLog` once they hold what the log held at the start. */
export async function loadAccess(
  o: Pick<HttpContext<ServiceValues, unknown, unknown>, 'values' | 'logger' | 'onStop' | 'signal'> &
    Pick<Health, 'progress'> & {
      pool: Pool
      isAskedWithoutLog: boolean
      startedMs: number
      /** For tests: by which the lines of a long wait come. */
      warningClock?: Clock
    },
) {
  const { WDS_BASE_URL: audience, WDS_AUTH_URL: issuer = audience } = o.values
  const auth = authClientOf(o)
  const uses = createKeyUses(o.pool)
  const directory = createAccessDirectory({ ...o, issuer, audience, auth, sinceMs: o.startedMs, onKeyUsed: uses.note })
  await directory.start()
  o.onStop(() => directory.stop())
  // A stop during the start must not wait for a database that is away.
  const stop = () => void directory.stop()
  o.signal.addEventListener('abort', stop, { once: true })
  try {
    // The directory itself tells of tables that cannot be read.
    await (o.isAskedWithoutLog ? directory.whenLoaded() : warnedOf(directory.whenConfirmed(), o))
  } finally {
    o.signal.removeEventListener('abort', stop)
  }
  const turn = () => uses.announce().then(() => false)
  const announcing = runLoop({ ...o, name: 'announce-key-uses', pauseMs: announceEveryMs, turn })
  o.onStop(async () => {
    await announcing
    // Uses of the last minute are not worth a stop that fails.
    await uses.announce().catch((err: unknown) => o.logger.warn({ err }, 'last uses of API keys not announced'))
  })
  return directory
}

/** Waits for `confirmed`; a line tells of a long wait, and seldom again. */
async function warnedOf(
  confirmed: Promise<void>,
  o: { pool: Pool; logger: Logger; warningClock?: Clock },
): Promise<void> {
  const { warningClock: clock = systemClock } = o
  const startedMs = clock.nowMs()
  const over = new AbortController()
  const warn = async (): Promise<void> => {
    for (let pauseMs = firstWarningMs; ; pauseMs = warningEveryMs) {
      await wait(pauseMs, over.signal, clock)
      if (over.signal.aborted) return
      const why = await whyEndUnseen(o.pool).catch(() => null)
      const waitedSeconds = Math.round((clock.nowMs() - startedMs) / 1_000)
      // Null: the database is away, which the directory tells.
      if (why !== null && !over.signal.aborted)
        o.logger.warn({ waited_s: waitedSeconds, ...waitsFor[why] }, 'startup waits for the end of the log')
    }
  }
  const warning = warn()
  try {
    await confirmed
  } finally {
    over.abort()
    await warning
  }
}

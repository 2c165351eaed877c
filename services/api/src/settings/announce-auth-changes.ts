// Announces what auth changed of a workspace in the stream of its settings, as `workspace.updated` (domain.md 3.1): one for each event of
// auth. The audit log has it from auth already.
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { type Actor, type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { startSpan } from '@wds/telemetry/spans'
import { carryOutInTurn } from '../work-queue/carry-out-in-turn.ts'
import { settings } from './aggregate.ts'
import { type AuthChange, settleAuthChange, takeAuthChange } from './store-auth-changes.ts'

/** A change that cannot be announced holds up no other. */
const failedWaitMs = 60_000

/** Announces the one that is due for longest; false when none is. */
export function announceAuthChange({ pool, logger }: { pool: Pool; logger: Logger }): Promise<boolean> {
  return carryOutInTurn<AuthChange>({
    pool,
    turns: { last: '' },
    take: takeAuthChange,
    handle: announce,
    report({ workspaceId, eventId }, err) {
      const fields = { err, workspace_id: workspaceId, event_id: eventId }
      logger.error(fields, 'change of auth could not be announced, retrying')
    },
    defer: (tx, change) => settleAuthChange(tx, change, { waitMs: failedWaitMs }),
  })
}

async function announce(tx: Transaction, change: AuthChange): Promise<void> {
  const { workspaceId: id, eventId, changed } = change
  const loaded = (await load(tx, settings, id, { lock: true })) ?? blank(settings, { id, nowMs: await dbNow(tx) })
  const { context, end } = beginAnnouncement(change, loaded.nowMs)
  const command = { type: 'take_over', changed, authEventId: eventId } as const
  await executeOrFail(tx, settings, { context, loaded, command }).finally(end)
  await settleAuthChange(tx, change, { waitMs: null })
}

function beginAnnouncement(change: AuthChange, nowMs: number): { context: AppendContext; end(): void } {
  const { workspaceId, eventId: causation, actor, correlation } = change
  const span = startSpan({ name: 'announce auth change', kind: 'internal' })
  const context: AppendContext = {
    workspaceId,
    causation,
    actor: readActor(actor),
    correlation: correlation === '' ? newId('req', nowMs) : correlation,
    trace: { traceparent: span.traceparent },
  }
  return { context, end: () => span.end() }
}

const actorTypes: readonly Actor['type'][] = ['user', 'client', 'api_key', 'system']

/** Whom auth named as the actor; auth itself where it named nobody that is known here. */
function readActor(header: string): Actor {
  const [name = '', ...rest] = header.split(':')
  const type = actorTypes.find((known) => known === name)
  const id = rest.join(':')
  return type === undefined || id === '' ? { type: 'system', id: 'auth' } : { type, id }
}

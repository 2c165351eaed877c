// What follows a change of an integration, in its transaction: its due times, and the end of open work when it is paused or deleted.
import { type Change, workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { endFolds } from '../conversions/store-folds.ts'
import { wakeCalendar } from '../stats-calendar/store-calendar.ts'
import { cancelOpenWork } from '../sync-runs/cancel-work.ts'
import { beginDays } from './begin-days.ts'
import type { IntegrationEvent, IntegrationState } from './domain/integration.ts'
import type { CredentialsMark, IntegrationPatch } from './domain/integration-fields.ts'
import { deleteCiphertext } from './store-credentials.ts'
import { deleteTokens } from './store-postback-tokens.ts'
import { removeSchedule, reschedule } from './store-schedule.ts'

type IntegrationChange = Change<IntegrationState, IntegrationEvent>

export async function followChange(tx: Transaction, change: IntegrationChange): Promise<void> {
  for (const event of change.events) await followEvent(tx, change, event)
}

async function followEvent(tx: Transaction, change: IntegrationChange, event: IntegrationEvent): Promise<void> {
  const { before, after: integration } = change
  const { state } = integration
  switch (event.type) {
    case 'IntegrationCreated':
      await beginDays(tx, integration.nowMs)
      if (state.fields?.schedule) await reschedule(tx, { integration, atMs: integration.nowMs })
      return
    case 'IntegrationResumed':
      if (state.fields?.schedule) await reschedule(tx, { integration, atMs: integration.nowMs })
      return
    case 'IntegrationUpdated':
      return followUpdate(tx, change, event.data)
    case 'IntegrationPaused':
      return endWork(tx, change, 'integration_paused')
    case 'IntegrationDeleted':
      await deleteCiphertext(tx, integration.id)
      await deleteTokens(tx, integration.id)
      if (state.fields?.provider === 'postback') await endFolds(tx, integration.id)
      return endWork(tx, change, 'integration_deleted')
    // One that broke, works again or was late gets other due times.
    case 'IntegrationActivated':
    case 'IntegrationBroken':
    case 'IntegrationRestored':
    case 'IntegrationSynced':
      if (state.fields?.schedule && (state.status !== before.status || state.delayed !== before.delayed))
        await reschedule(tx, { integration })
      return
    // The scheduler moves the time: also where the delay was over and there is no event.
    case 'IntegrationDelayed':
    case 'IntegrationCredentialsRefused':
    case 'IntegrationCredentialsEnding':
      return
  }
}

/** Other settings and credentials are tried at once (domain.md 3.2); another schedule counts from now on. */
async function followUpdate(
  tx: Transaction,
  { after: integration }: IntegrationChange,
  { patch, credentials }: { patch: IntegrationPatch; credentials?: CredentialsMark | null },
): Promise<void> {
  const { fields, status } = integration.state
  if (fields?.provider === 'csv_upload' || status === 'paused') return
  // What was received is judged already.
  const isTried = fields?.provider !== 'postback' && (patch.settings !== undefined || credentials !== undefined)
  if (isTried) await reschedule(tx, { integration, atMs: integration.nowMs })
  else if (patch.schedule !== undefined) await reschedule(tx, { integration })
}

async function endWork(
  tx: Transaction,
  { after, context }: IntegrationChange,
  reason: 'integration_paused' | 'integration_deleted',
): Promise<void> {
  await cancelOpenWork(tx, after.id, { context, reason })
  await removeSchedule(tx, after.id)
  // Days that wait for it do so no longer (domain.md 7).
  await wakeCalendar(tx, workspaceOf(tx))
}

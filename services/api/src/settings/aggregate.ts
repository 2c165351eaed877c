// Declares a workspace's settings: their stream, which has the workspace's id, and their row, which is there from the first change on.
import { type Aggregate, type Change, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { auditEntry } from '@wds/aggregate/audit-entry'
import type { Transaction } from '@wds/postgres/transaction'
import { wakeCalendar } from '../stats-calendar/store-calendar.ts'
import {
  type SettingsCommand,
  type SettingsEvent,
  type SettingsState,
  settingsDecider,
  settingsPublicEvent,
} from './domain/settings.ts'

export const settings: Aggregate<SettingsState, SettingsCommand, SettingsEvent, never> = {
  streamType: 'workspace_settings',
  idPrefix: 'wsp',
  table: 'workspace_settings',
  decider: settingsDecider,
  columns: ({ status }) => ({ status }),
  announce: publicEvents(settingsPublicEvent),
  project: followChange,
}

const audit = auditEntry('workspace_settings_changed')

/** Another zone cuts the workspace's days anew (domain.md T6). */
async function followChange(tx: Transaction, change: Change<SettingsState, SettingsEvent>): Promise<void> {
  // What is taken over from auth has its entry from there.
  if (change.events.some(({ type }) => type === 'SettingsChanged')) await audit(tx, change)
  const isRezoned = change.events.some(
    ({ type, data }) => type === 'SettingsChanged' && data.patch.time_zone !== undefined,
  )
  if (isRezoned) await wakeCalendar(tx, workspaceOf(tx))
}

// Declares a workspace's settings: their stream, which has the workspace's id, and their row, which is there from the first change on.
import type { Aggregate } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { auditEntry } from '@wds/aggregate/audit-entry'
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
  project: auditEntry('workspace_settings_changed'),
}

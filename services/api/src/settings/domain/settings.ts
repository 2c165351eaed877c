// Decides a workspace's settings (domain.md 3.1): which there are, what they are before anybody set them, what a change changes.
import { isCurrency } from '@wds/contracts/currencies'
import type { PublicEvent } from '@wds/contracts/envelope'
import type { FieldFault } from '@wds/contracts/field-fault'
import { accept, type Decider } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'
import { timeZoneName } from '../../calendar/domain/calendar.ts'
import { type Issuer, issuerFaults } from '../../parties/domain/party.ts'

export interface SettingsFields {
  /** IANA name. */
  time_zone: string
  /** ISO 4217. */
  base_currency: string
  /** How long a day waits for its sources, 12 to 168 hours. */
  max_wait_hours: number
  anomaly_detection: boolean
  /** Who issues the workspace's invoices; null until it is told. */
  issuer: Issuer | null
}

/** Of a workspace that has changed nothing yet. */
export const defaultSettings: SettingsFields = {
  time_zone: 'UTC',
  base_currency: 'EUR',
  max_wait_hours: 36,
  anomaly_detection: true,
  issuer: null,
}

/** `none`: nothing was ever changed, and the defaults hold. */
export interface SettingsState {
  status: 'none' | 'set'
  fields: SettingsFields
}

/** Settings of a workspace that auth keeps (domain.md 3.1); subscribers hear of their changes as of those kept here. */
export const authSettings = ['name', 'slug', 'strict_event_scopes'] as const
export type AuthSetting = (typeof authSettings)[number]

export type SettingsCommand =
  | { type: 'change'; patch: Partial<SettingsFields> }
  /** What an event of auth changed; the caller takes each event once. */
  | { type: 'take_over'; changed: AuthSetting[]; authEventId: string }

export type SettingsEvent =
  /** Version 1, which everybody saw before: the defaults of that day. */
  | { type: 'SettingsBegun'; data: { fields: SettingsFields } }
  | { type: 'SettingsChanged'; data: { patch: Partial<SettingsFields>; changed: string[] } }
  | { type: 'AuthSettingsChanged'; data: { changed: AuthSetting[]; auth_event_id: string } }

export const settingsDecider: Decider<SettingsState, SettingsCommand, SettingsEvent, never> = {
  initialState: { status: 'none', fields: defaultSettings },
  evolve({ fields }, { type, data }) {
    switch (type) {
      case 'SettingsBegun':
        return { status: 'set', fields: { ...defaultSettings, ...data.fields } }
      case 'SettingsChanged':
        return { status: 'set', fields: { ...fields, ...data.patch } }
      case 'AuthSettingsChanged':
        return { status: 'set', fields }
    }
  },
  decide({ status, fields }, command) {
    const event = command.type === 'change' ? changeOf(fields, command.patch) : takenOver(command)
    if (event === null) return accept()
    return accept<SettingsEvent>(
      ...(status === 'none' ? [{ type: 'SettingsBegun', data: { fields } } as const] : []),
      event,
    )
  },
}

function changeOf(fields: SettingsFields, patch: Partial<SettingsFields>): SettingsEvent | null {
  const changed = Object.keys(fields).filter((name) => {
    const key = name as keyof SettingsFields
    return patch[key] !== undefined && !isSameJson(patch[key], fields[key])
  })
  if (changed.length === 0) return null
  const kept = Object.fromEntries(changed.map((name) => [name, patch[name as keyof SettingsFields]]))
  return { type: 'SettingsChanged', data: { patch: kept, changed } }
}

function takenOver({ changed, authEventId }: Extract<SettingsCommand, { type: 'take_over' }>): SettingsEvent {
  return { type: 'AuthSettingsChanged', data: { changed, auth_event_id: authEventId } }
}

/** What the OpenAPI file cannot judge of a patch. */
export function settingsFaults({ time_zone, base_currency, issuer }: Partial<SettingsFields>): FieldFault[] {
  const faults: FieldFault[] = []
  if (time_zone !== undefined && timeZoneName(time_zone) === null)
    faults.push({ pointer: '/time_zone', code: 'unknown_time_zone', detail: 'No time zone has this IANA name.' })
  if (base_currency !== undefined && !isCurrency(base_currency))
    faults.push({ pointer: '/base_currency', code: 'unknown_currency', detail: 'The currency is not in ISO 4217.' })
  return issuer ? [...faults, ...issuerFaults('/issuer', issuer)] : faults
}

/** `workspace.updated` of a change; nothing of what was there before. */
export function settingsPublicEvent(_id: string, { fields }: SettingsState, event: SettingsEvent): PublicEvent | null {
  if (event.type === 'SettingsBegun') return null
  const { time_zone, base_currency } = fields
  return { type: 'workspace.updated', onceKey: null, data: { changed: event.data.changed, time_zone, base_currency } }
}

// What a change of settings means.
import { expect, test } from '@jest/globals'
import { roleAllows, roles, scopesOfRole } from '@wds/contracts/roles'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import {
  defaultSettings,
  type SettingsCommand,
  type SettingsEvent,
  settingsDecider,
  settingsFaults,
  settingsPublicEvent,
} from './settings.ts'

const begun: SettingsEvent = { type: 'SettingsBegun', data: { fields: defaultSettings } }
const changedTo = (time_zone: string): SettingsEvent => ({
  type: 'SettingsChanged',
  data: { patch: { time_zone }, changed: ['time_zone'] },
})

test('the first change begins with the defaults that everybody saw', () => {
  given(settingsDecider, [])
    .when({ type: 'change', patch: { time_zone: 'Europe/Malta', base_currency: 'EUR' } })
    .then([begun, changedTo('Europe/Malta')])
})

test('a change of nothing makes no event', () => {
  given(settingsDecider, []).when({ type: 'change', patch: defaultSettings }).then([])
  given(settingsDecider, [begun, changedTo('Europe/Malta')])
    .when({ type: 'change', patch: { time_zone: 'Europe/Malta' } })
    .then([])
})

test('a later change keeps the rest, and is announced with zone and currency as they are then', () => {
  const events = [begun, changedTo('Europe/Malta')]
  given(settingsDecider, events)
    .when({ type: 'change', patch: { max_wait_hours: 48 } })
    .then([{ type: 'SettingsChanged', data: { patch: { max_wait_hours: 48 }, changed: ['max_wait_hours'] } }])
  const state = fold(settingsDecider, events)
  expect(settingsPublicEvent('wsp_1', state, changedTo('Europe/Malta'))).toEqual({
    type: 'workspace.updated',
    onceKey: null,
    data: { changed: ['time_zone'], time_zone: 'Europe/Malta', base_currency: 'EUR' },
  })
  expect(settingsPublicEvent('wsp_1', state, begun)).toBeNull()
})

test('what auth changed is told each time, and changes no setting', () => {
  const takeOver: SettingsCommand = { type: 'take_over', changed: ['name'], authEventId: 'evt_1' }
  const taken: SettingsEvent = { type: 'AuthSettingsChanged', data: { changed: ['name'], auth_event_id: 'evt_1' } }
  given(settingsDecider, []).when(takeOver).then([begun, taken])
  given(settingsDecider, [begun, changedTo('Europe/Malta'), taken])
    .when(takeOver)
    .then([taken])
  const state = fold(settingsDecider, [begun, changedTo('Europe/Malta'), taken])
  expect(state).toEqual({ status: 'set', fields: { ...defaultSettings, time_zone: 'Europe/Malta' } })
  expect(settingsPublicEvent('wsp_1', state, taken)).toEqual({
    type: 'workspace.updated',
    onceKey: null,
    data: { changed: ['name'], time_zone: 'Europe/Malta', base_currency: 'EUR' },
  })
})

test('a zone and a currency must be known', () => {
  expect(
    settingsFaults({ time_zone: 'GMT+2', base_currency: 'XXQ' }).map(({ pointer, code }) => [pointer, code]),
  ).toEqual([
    ['/time_zone', 'unknown_time_zone'],
    ['/base_currency', 'unknown_currency'],
  ])
  expect(settingsFaults({ time_zone: 'Asia/Katmandu', base_currency: 'JPY' })).toEqual([])
})

test('who may change settings may write invoices, so that the issuer asks for no scope beside', () => {
  const who = roles.filter((role) => roleAllows(role, 'manage_workspace'))
  expect(who.map((role) => scopesOfRole(role).includes('invoices:write'))).toEqual(who.map(() => true))
})

test('regression: a workspace that changed settings before there was an issuer has none', () => {
  const { issuer: _issuer, ...before } = defaultSettings
  const old = { type: 'SettingsBegun', data: { fields: before } } as unknown as SettingsEvent
  expect(fold(settingsDecider, [old]).fields).toEqual(defaultSettings)
})

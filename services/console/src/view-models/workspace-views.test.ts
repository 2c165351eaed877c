import { expect, test } from '@jest/globals'
import { actionWords, actorName, auditQuery, isDay } from './audit.ts'
import { lossLines, mayChange, roleRows, rolesToGive } from './members.ts'
import { timeZoneNames } from './time-zones.ts'
import { isSlug } from './workspace-settings.ts'

test('an admin touches no owner and makes none', () => {
  expect([mayChange('owner', 'owner'), mayChange('admin', 'owner'), mayChange('admin', 'admin')]).toEqual([
    true,
    false,
    true,
  ])
  expect([mayChange('member', 'viewer'), rolesToGive('admin')]).toEqual([false, ['admin', 'member', 'viewer']])
})

test('the table of roles is that of auth.md 1.2', () => {
  const allowed = Object.fromEntries(roleRows.map((row) => [row.key, row.allowed.join(' ')]))
  expect(allowed).toMatchObject({
    manage_apps: 'owner admin',
    delete_workspace: 'owner',
    'webhooks:manage': 'owner admin',
    'campaigns:write': 'owner admin member',
    'stats:read': 'owner admin member viewer',
  })
})

test('what a person loses is counted, and a removal does not list scopes', () => {
  const losses = { scopes: ['webhooks:manage'], grants_cut: 2, grants_ended: 1, api_keys: 1 }
  expect(lossLines({ ...losses, role: 'member' })).toEqual([
    'No longer: webhooks:manage.',
    '1 connected app ends.',
    '2 connected apps lose scopes.',
    '1 API key that the person made stays.',
  ])
  expect(lossLines({ role: null, scopes: ['stats:read'], grants_cut: 0, grants_ended: 0, api_keys: 0 })).toEqual([])
})

test('the period of the audit log holds its last day', () => {
  expect(auditQuery({ actor: 'user:usr_1', from: '2026-02-27', to: '2026-02-28' })).toEqual({
    actor: 'user:usr_1',
    'created[gte]': '2026-02-27T00:00:00Z',
    'created[lt]': '2026-03-01T00:00:00.000Z',
  })
  expect(['2026-02-28', '2026-02-30', '28.2.2026'].map(isDay)).toEqual([true, false, false])
})

test('an entry names who it was, where that is known', () => {
  const names = new Map([['usr_1', 'Ada']])
  expect(['user:usr_1', 'user:usr_2', 'system:operator'].map((actor) => actorName(actor, names))).toEqual([
    'Ada',
    'user:usr_2',
    'the operator',
  ])
  expect(['member_role_changed', 'api_key_created', 'oauth_app_registered'].map(actionWords)).toEqual([
    'member role changed',
    'API key created',
    'OAuth app registered',
  ])
})

test('a slug is what the API takes as one', () => {
  expect(['a-1', '-a', 'A'].map(isSlug)).toEqual([true, false, false])
})

test('the zone that is set can be chosen, whatever the browser knows', () => {
  expect(timeZoneNames('Mars/Base').slice(0, 2)).toEqual(['UTC', 'Mars/Base'])
})

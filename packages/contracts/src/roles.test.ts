import { expect, test } from '@jest/globals'
import { isRight, planAllowsApps, plans, roleAllows, roles, scopesOfRole } from './roles.ts'
import { scopes } from './scopes.ts'

test('the role table of auth.md 1.2: rights', () => {
  const holders = (right: Parameters<typeof roleAllows>[1]) => roles.filter((role) => roleAllows(role, right))
  for (const right of ['manage_apps', 'authorize_apps', 'manage_keys', 'manage_grants', 'manage_members'] as const) {
    expect(holders(right)).toEqual(['owner', 'admin'])
  }
  expect(holders('manage_workspace')).toEqual(['owner', 'admin'])
  expect(holders('delete_workspace')).toEqual(['owner'])
  expect(holders('be_member')).toEqual(['owner', 'admin', 'member', 'viewer'])
})

test('the role table of auth.md 1.2: the widest scopes', () => {
  expect(scopesOfRole('owner')).toEqual(scopes)
  expect(scopesOfRole('admin')).toEqual(scopes)
  expect(scopes.filter((scope) => !scopesOfRole('member').includes(scope))).toEqual(['webhooks:manage'])
  expect(scopesOfRole('viewer')).toEqual(['stats:read', 'integrations:read', 'campaigns:read', 'invoices:read'])
})

test('apps need business or above', () => {
  expect(plans.filter(planAllowsApps)).toEqual(['business', 'enterprise'])
})

test('a name of the prototype is no right', () => {
  expect(isRight('manage_apps')).toBe(true)
  expect(isRight('constructor')).toBe(false)
})

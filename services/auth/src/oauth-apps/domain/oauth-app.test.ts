import { describe, expect, test } from '@jest/globals'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import { appsMax, liveSecrets, type OAuthAppEvent, oauthAppDecider, type StoredApp } from './oauth-app.ts'

const ids = { app_id: 'app_1', client_id: 'cli_1', workspace_id: 'wsp_1' }
const app = {
  ...ids,
  name: 'Acme Sync',
  redirect_urls: ['https://acme.example/cb'],
  scopes: ['stats:read' as const, 'campaigns:read' as const],
  state: 'live' as const,
  logo_digest: 'ab'.repeat(32),
}
const loopback = 'http://localhost:3000/cb'
const registered: OAuthAppEvent = { type: 'OAuthAppRegistered', data: app }
const inDevelopment: OAuthAppEvent = {
  type: 'OAuthAppRegistered',
  data: { ...app, state: 'development', redirect_urls: ['https://acme.example/cb', loopback] },
}
const added = (secret_id: string, previous_ends: string | null = null): OAuthAppEvent => ({
  type: 'ClientSecretAdded',
  data: { ...ids, secret_id, previous_ends },
})
const made = [registered, added('sec_1')]
const suspended: OAuthAppEvent = { type: 'OAuthAppSuspended', data: ids }
const deleted: OAuthAppEvent = { type: 'OAuthAppDeleted', data: ids }
const changed = (data: object): OAuthAppEvent => ({ type: 'OAuthAppChanged', data: { ...ids, ...data } })
const stateOf = (events: OAuthAppEvent[]) => fold(oauthAppDecider, events) as StoredApp

describe('an app', () => {
  test('is registered with its first secret, in the state that was chosen', () => {
    given(oauthAppDecider, []).when({ type: 'register', app, secretId: 'sec_1', apps: 0 }).then(made)
    expect(stateOf(made)).toMatchObject({ status: 'live', secrets: [{ id: 'sec_1', ends: null }] })
    expect(stateOf([inDevelopment]).status).toBe('development')
  })

  test('is the 25th of its workspace, not the 26th', () => {
    given(oauthAppDecider, [])
      .when({ type: 'register', app, secretId: 'sec_1', apps: appsMax - 1 })
      .then(made)
    given(oauthAppDecider, [])
      .when({ type: 'register', app, secretId: 'sec_1', apps: appsMax })
      .thenRejected({ code: 'apps_max' })
  })

  test('has http on the loopback in development alone', () => {
    const redirect_urls = ['https://acme.example/cb', loopback]
    given(oauthAppDecider, [])
      .when({ type: 'register', app: { ...app, redirect_urls }, secretId: 'sec_1', apps: 0 })
      .thenRejected({ code: 'urls_not_live', places: [1] })
    given(oauthAppDecider, made)
      .when({ type: 'update', patch: { redirect_urls } })
      .thenRejected({ code: 'urls_not_live', places: [1] })
    given(oauthAppDecider, [inDevelopment])
      .when({ type: 'update', patch: { redirect_urls: [loopback] } })
      .then([changed({ redirect_urls: [loopback] })])
  })

  test('tells what changed of it, and nothing where nothing did', () => {
    given(oauthAppDecider, made)
      .when({ type: 'update', patch: { name: 'Acme', scopes: app.scopes } })
      .then([changed({ name: 'Acme' })])
    given(oauthAppDecider, made)
      .when({ type: 'update', patch: { name: app.name, redirect_urls: app.redirect_urls } })
      .then([])
    given(oauthAppDecider, made).when({ type: 'set_logo', logoDigest: app.logo_digest }).then([])
    given(oauthAppDecider, made)
      .when({ type: 'set_logo', logoDigest: 'cd' })
      .then([changed({ logo_digest: 'cd' })])
  })

  test('says when a scope was removed, so that older tokens are refused; not when one was added', () => {
    given(oauthAppDecider, made)
      .when({ type: 'update', patch: { scopes: ['stats:read', 'invoices:read'] } })
      .then([changed({ scopes: ['stats:read', 'invoices:read'], scopes_removed: true })])
    given(oauthAppDecider, made)
      .when({ type: 'update', patch: { scopes: [...app.scopes, 'invoices:read'] } })
      .then([changed({ scopes: [...app.scopes, 'invoices:read'] })])
  })

  test('is published once all its URLs are on https', () => {
    given(oauthAppDecider, [inDevelopment])
      .when({ type: 'publish' })
      .thenRejected({ code: 'urls_not_live', places: [1] })
    const mended = [inDevelopment, changed({ redirect_urls: ['https://acme.example/cb'] })]
    given(oauthAppDecider, mended)
      .when({ type: 'publish' })
      .then([changed({ state: 'live' })])
    given(oauthAppDecider, made)
      .when({ type: 'publish' })
      .thenRejected({ code: 'invalid_state', current_status: 'live', allowed: [] })
  })

  test('is suspended and reinstated to what it was, also when it was published meanwhile', () => {
    given(oauthAppDecider, made).when({ type: 'suspend' }).then([suspended])
    given(oauthAppDecider, [...made, suspended])
      .when({ type: 'suspend' })
      .then([])
    given(oauthAppDecider, made).when({ type: 'reinstate' }).then([])
    const reinstated: OAuthAppEvent = { type: 'OAuthAppReinstated', data: ids }
    const mended = [inDevelopment, changed({ redirect_urls: ['https://acme.example/cb'] }), suspended]
    expect(stateOf([...mended, reinstated]).status).toBe('development')
    const published = [...mended, changed({ state: 'live' })]
    expect([stateOf(published).status, stateOf([...published, reinstated]).status]).toEqual(['suspended', 'live'])
  })

  test('is nothing any more once deleted', () => {
    given(oauthAppDecider, made).when({ type: 'delete' }).then([deleted])
    for (const type of ['delete', 'publish', 'suspend', 'reinstate'] as const)
      given(oauthAppDecider, [...made, deleted])
        .when({ type })
        .thenRejected({ code: 'not_found' })
    expect(stateOf([...made, deleted]).secrets).toEqual([])
  })
})

describe('T33: client secrets', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  const hourMs = 3_600_000
  const add = (secretId: string, hours: number, atMs = nowMs) =>
    ({ type: 'add_secret', secretId, overlapMs: hours * hourMs, nowMs: atMs }) as const
  const live = (events: OAuthAppEvent[], atMs: number) => liveSecrets(stateOf(events), atMs).map(({ id }) => id)

  test('a second one ends the first after the overlap, to the millisecond', () => {
    const ends = '2026-03-02T12:00:00.000Z'
    given(oauthAppDecider, made)
      .when(add('sec_2', 24))
      .then([added('sec_2', ends)])
    const rotated = [...made, added('sec_2', ends)]
    expect(live(rotated, Date.parse(ends) - 1)).toEqual(['sec_1', 'sec_2'])
    expect(live(rotated, Date.parse(ends))).toEqual(['sec_2'])
  })

  test('without an overlap the first one ends at once', () => {
    const rotated = [...made, added('sec_2', new Date(nowMs).toISOString())]
    given(oauthAppDecider, made).when(add('sec_2', 0)).then(rotated.slice(2))
    expect(live(rotated, nowMs)).toEqual(['sec_2'])
  })

  test('a third one waits until the first has ended', () => {
    const rotated = [...made, added('sec_2', '2026-03-02T12:00:00.000Z')]
    given(oauthAppDecider, rotated).when(add('sec_3', 24)).thenRejected({ code: 'secrets_max' })
    given(oauthAppDecider, rotated)
      .when(add('sec_3', 24, nowMs + 24 * hourMs))
      .then([added('sec_3', '2026-03-03T12:00:00.000Z')])
    expect(live([...rotated, added('sec_3', '2026-03-03T12:00:00.000Z')], nowMs + 25 * hourMs)).toEqual([
      'sec_2',
      'sec_3',
    ])
  })

  test('one is ended early; a leaked last one too', () => {
    const rotated = [...made, added('sec_2', '2026-03-04T12:00:00.000Z')]
    const ended = (secret_id: string): OAuthAppEvent => ({ type: 'ClientSecretEnded', data: { ...ids, secret_id } })
    const end = (secretId: string) => ({ type: 'end_secret', secretId, nowMs }) as const
    given(oauthAppDecider, rotated)
      .when(end('sec_1'))
      .then([ended('sec_1')])
    given(oauthAppDecider, [...rotated, ended('sec_1')])
      .when(end('sec_2'))
      .then([ended('sec_2')])
    given(oauthAppDecider, rotated).when(end('sec_9')).thenRejected({ code: 'not_found' })
    expect(live([...rotated, ended('sec_2')], nowMs)).toEqual(['sec_1'])
  })

  test('the end of an old one is never put off by the next', () => {
    const left = [
      ...made,
      added('sec_2', '2026-03-02T12:00:00.000Z'),
      { type: 'ClientSecretEnded', data: { ...ids, secret_id: 'sec_2' } } as OAuthAppEvent,
    ]
    given(oauthAppDecider, left)
      .when(add('sec_3', 72))
      .then([added('sec_3', '2026-03-02T12:00:00.000Z')])
    given(oauthAppDecider, left)
      .when(add('sec_3', 1))
      .then([added('sec_3', '2026-03-01T13:00:00.000Z')])
  })

  test('after none is left, a new one has nothing to end', () => {
    const none = [...made, { type: 'ClientSecretEnded', data: { ...ids, secret_id: 'sec_1' } } as OAuthAppEvent]
    given(oauthAppDecider, none)
      .when(add('sec_2', 24))
      .then([added('sec_2', null)])
    expect(live([...none, added('sec_2')], nowMs)).toEqual(['sec_2'])
  })
})

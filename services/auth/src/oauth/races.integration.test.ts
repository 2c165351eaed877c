// What may be used once, used by many at the same time: two processes on one Postgres, 30 requests split over both, 8 rounds; by night 20.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { decodeJwt } from 'jose'
import type { App } from './oauth-people.fixture.ts'
import { type Answer, queryOf } from './oauth-requests.fixture.ts'
import { type OAuthService, startOAuth } from './oauth-service.fixture.ts'

const rounds = isFullRun() ? 20 : 8
/** The first round is of 50 (security.md XO03, XO05). */
const requestsOf = (round: number) => (round === 0 ? 50 : 30)

/** The same form to both processes at once. */
function race(oauth: OAuthService, fields: Record<string, string>, round: number): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: requestsOf(round) }, (_, nth) => oauth.post('/oauth/token', fields, { process: nth % 2 })),
  )
}
const won = (answers: Answer[]) => answers.filter(({ status }) => status === 200)

describe('with two processes', () => {
  let oauth: OAuthService
  let app: App
  beforeAll(async () => {
    oauth = await startOAuth({ processes: 2, isForked: true })
    app = await oauth.makeApp()
  })
  afterAll(() => oauth?.stop())

  /** All that the race gave is dead, its end was told once, and no row of the family is left that anybody could use. */
  async function expectDead(
    workspaceId: string,
    tokens: { access_token: string; refresh_token: string }[],
    reason: string,
  ) {
    const ends = (await oauth.announced(workspaceId)).filter(({ type }) => type === 'GrantRevoked')
    expect(ends.map(({ data }) => data.reason)).toEqual([reason])
    const grantId = ends[0]?.data.grant_id
    for (const { access_token: access, refresh_token: refresh } of tokens) {
      expect(decodeJwt(access).grant_id).toBe(grantId)
      const client = { client_id: app.clientId, client_secret: app.secret }
      expect((await oauth.post('/oauth/introspect', { token: access, ...client })).json).toEqual({ active: false })
      expect((await oauth.post('/oauth/introspect', { token: refresh, ...client })).json).toEqual({ active: false })
      expect((await oauth.post('/oauth/token', oauth.refreshing(app, refresh))).json.error).toBe('invalid_grant')
    }
    const { rows } = await oauth.admin.query('select kind from auth.engine_records where grant_id = $1', [grantId])
    expect(rows).toEqual([])
  }

  test('T18, S4, XO03: 30 parallel redemptions of a code: exactly one 200, then the family is dead, the winner’s tokens too', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await oauth.makeMember()
      const answers = await race(oauth, oauth.redemption(app, await oauth.authorize(app, person)), round)
      const winners = won(answers)
      expect([round, winners.length]).toEqual([round, 1])
      expect(winners[0]?.json.user_context.user.id).toBe(person.userId)
      for (const { status, json } of answers) {
        if (status !== 200) expect([status, json.error]).toEqual([400, 'invalid_grant'])
      }
      await expectDead(
        person.workspaceId,
        winners.map(({ json }) => json),
        'code_reused',
      )
    }
  })

  test('T22, S8, XO05: 30 parallel refreshes: at most one 200, and the family is revoked, the winner’s new token too', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await oauth.makeMember()
      const first = await oauth.tokens(app, person)
      const answers = await race(oauth, oauth.refreshing(app, first.refresh_token), round)
      const winners = won(answers)
      expect(winners.length).toBeLessThanOrEqual(1)
      for (const { status, json } of answers) {
        if (status !== 200) expect([status, json.error]).toEqual([400, 'invalid_grant'])
      }
      await expectDead(person.workspaceId, [first, ...winners.map(({ json }) => json)], 'refresh_token_reused')
      const told = await oauth.announced(person.workspaceId)
      expect(told.filter(({ type }) => type === 'RefreshTokenReuseDetected')).toHaveLength(1)
    }
  })

  test('S11, W24: a role that shrinks during a refresh: whatever the order, no token has a cut scope with the new version of the membership, and none later has it at all', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await oauth.makeMember()
      const first = await oauth.tokens(app, person)
      const refreshing = oauth.post('/oauth/token', oauth.refreshing(app, first.refresh_token), { process: round % 2 })
      const [answer] = await Promise.all([refreshing, oauth.setRole(person, 'viewer')])
      expect(answer.status).toBe(200)
      const { scope, member_rev: rev } = decodeJwt(answer.json.access_token)
      const read = app.scopes.filter((name) => name.endsWith(':read')).join(' ')
      if (rev !== 1) expect([rev, scope]).toEqual([2, read])
      const next = await oauth.post('/oauth/token', oauth.refreshing(app, answer.json.refresh_token))
      expect([next.status, next.json.scope, decodeJwt(next.json.access_token).member_rev]).toEqual([200, read, 2])
      const named = { ...oauth.refreshing(app, next.json.refresh_token), scope: 'campaigns:write' }
      expect((await oauth.post('/oauth/token', named)).json.error).toBe('invalid_scope')
    }
  })

  test('two decisions on one consent page make one grant', async () => {
    const person = await oauth.makeMember()
    const { uid, cookie: own } = await oauth.ask(queryOf(app))
    const cookie = `${own}; ${await oauth.signIn(person)}`
    const page = await oauth.raw({ path: `/oauth/consent/${uid}`, headers: { cookie } })
    const decided = await Promise.all(Array.from({ length: 10 }, () => oauth.decide(page, cookie)))
    expect(decided.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await oauth.announced(person.workspaceId)).map(({ type }) => type)).toEqual(['AppAuthorized'])
  })
})

describe('with an adapter without compare and set', () => {
  let oauth: OAuthService
  let app: App
  beforeAll(async () => {
    oauth = await startOAuth({ processes: 2, isForked: true, isPlain: true })
    app = await oauth.makeApp()
  })
  afterAll(() => oauth?.stop())

  /** The most winners of a round, of as many rounds as the real tests have. */
  async function mostWinners(fieldsOf: () => Promise<Record<string, string>>): Promise<number> {
    let most = 0
    for (let round = 0; round < rounds && most < 2; round += 1)
      most = Math.max(most, won(await race(oauth, await fieldsOf(), round)).length)
    return most
  }

  test('W16, T18 bites: several redemptions of a code win', async () => {
    const fieldsOf = async () => oauth.redemption(app, await oauth.authorize(app, await oauth.makeMember()))
    expect(await mostWinners(fieldsOf)).toBeGreaterThan(1)
  })

  test('W16, T22 bites: several refreshes win', async () => {
    const fieldsOf = async () =>
      oauth.refreshing(app, (await oauth.tokens(app, await oauth.makeMember())).refresh_token)
    expect(await mostWinners(fieldsOf)).toBeGreaterThan(1)
  })
})

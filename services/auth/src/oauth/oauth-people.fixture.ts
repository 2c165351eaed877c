// For tests: who there is on a database of auth: workspaces, apps and people, made and changed as the routes do. It never stands in a running
// service.
import { hash, randomBytes } from 'node:crypto'
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { Plan, Role } from '@wds/contracts/roles'
import { scopes as allScopes, type Scope } from '@wds/contracts/scopes'
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { contextOf } from '../auth-database.fixture.ts'
import { addMember, addOrRaiseMember } from '../members/add-member.ts'
import { type MembershipCommand, membershipIdOf } from '../members/domain/membership.ts'
import { members } from '../members/resource.ts'
import { oauthApps } from '../oauth-apps/aggregate.ts'
import type { OAuthAppCommand } from '../oauth-apps/domain/oauth-app.ts'
import { registerApp } from '../oauth-apps/register-app.ts'
import { registerPerson } from '../people/register.ts'
import { startSession } from '../sessions/session.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { cutGrants, endGrants } from './grants/end-grants.ts'
import { redirectUrl } from './oauth-requests.fixture.ts'

export interface App {
  workspaceId: string
  appId: string
  clientId: string
  secret: string
  scopes: Scope[]
}

export interface Member {
  userId: string
  workspaceId: string
}

const grants = { cut: cutGrants, end: endGrants }

export function peopleOn(pool: Pool) {
  async function makeWorkspace(plan: Plan = 'business'): Promise<string> {
    return (await createWorkspace(pool, { name: 'Acme Media', plan, keyName: 'first', scopes: null })).workspaceId
  }

  async function makeApp(
    o: {
      workspaceId?: string
      plan?: Plan
      scopes?: Scope[]
      redirectUrls?: string[]
      state?: 'live' | 'development'
    } = {},
  ): Promise<App> {
    const workspaceId = o.workspaceId ?? (await makeWorkspace(o.plan))
    const png = randomBytes(100)
    const { scopes = [...allScopes], redirectUrls: redirect_urls = [redirectUrl] } = o
    const made = await withTransaction(pool, { workspaceId }, async (tx) =>
      registerApp(tx, {
        context: contextOf(workspaceId),
        nowMs: await dbNow(tx),
        app: {
          fields: { name: 'Sync', redirect_urls, scopes },
          state: o.state ?? 'live',
          logo: { png, digest: hash('sha256', png, 'buffer') },
        },
      }),
    )
    if (!made.ok || made.value.state.status === 'none') throw new Error('the app was refused')
    const { app_id: appId, client_id: clientId } = made.value.state
    return { workspaceId, appId, clientId, secret: made.secret, scopes }
  }

  /** As the routes of apps do, without what they write beside it. */
  async function commandApp({ workspaceId, appId }: App, command: OAuthAppCommand): Promise<void> {
    await withTransaction(pool, { workspaceId }, async (tx) => {
      const loaded = await load(tx, oauthApps, appId, { lock: true })
      if (loaded === null) throw new Error('no app')
      await executeOrFail(tx, oauthApps, { context: contextOf(workspaceId), loaded, command })
    })
  }

  /** A person of a workspace, of a new one unless told. */
  async function makeMember(role: Role = 'owner', given?: string): Promise<Member> {
    const workspaceId = given ?? (await makeWorkspace())
    const email = `${randomBytes(6).toString('hex')}@example.test`
    const userId = await withTransaction(pool, { workspaceId }, async (tx) => {
      const id = await registerPerson(tx, { name: 'Ada', email, passwordHash: null }, { requestId: 'req_test' })
      if (id === null) throw new Error('somebody has this address')
      await addMember(tx, { context: contextOf(workspaceId), userId: id, role })
      return id
    })
    return { userId, workspaceId }
  }

  async function join(workspaceId: string, userId: string, role: Role): Promise<void> {
    await withTransaction(pool, { workspaceId }, (tx) =>
      addOrRaiseMember(tx, { context: contextOf(workspaceId), userId, role, grants }),
    )
  }

  /** The role of a member changes, and grants with it. */
  const setRole = (member: Member, role: Role) =>
    commandMember(member, { type: 'change_role', role, by: null, otherOwners: 1 })
  const removeMember = (member: Member) => commandMember(member, { type: 'remove', by: null, otherOwners: 1 })

  /** As the routes of members do. */
  async function commandMember({ userId, workspaceId }: Member, command: MembershipCommand): Promise<void> {
    const context = contextOf(workspaceId)
    const resource = members(grants)
    await withTransaction(pool, { workspaceId }, async (tx) => {
      const loaded = await load(tx, resource, membershipIdOf(userId), { lock: true })
      if (loaded === null) throw new Error('no member')
      await executeOrFail(tx, resource, { context, loaded, command })
    })
  }

  /** The cookie of a new session. */
  async function signIn({ userId, workspaceId }: Member): Promise<string> {
    const start = { userId, workspaceId, requestId: 'req_test', address: null, userAgent: null }
    const session = await withTransaction(pool, { workspaceId: null }, (tx) => startSession(tx, start))
    return `__Host-wds_session=${session.secret}`
  }

  return { makeWorkspace, makeApp, commandApp, makeMember, setRole, removeMember, join, signIn }
}

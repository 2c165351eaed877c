// The operator's commands on people, on the internal listener. They name a person by the address that he or she signs in with.
import { Problem } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { byOperator, originOfBy, recordAuditOfPerson } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Grants } from '../members/ports.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { makePasswordLink } from '../passwords/forgotten.ts'
import { emailKeyOf } from '../people/email.ts'
import { findAccountByEmail } from '../people/store.ts'
import { disableAccount, eraseAccount } from './end-account.ts'

type Operator = Pick<Dependencies, 'pool' | 'authUrl'>
type End = typeof disableAccount

async function personOf(tx: Transaction, email: string): Promise<string> {
  const account = await findAccountByEmail(tx, emailKeyOf(email))
  if (account === null) throw new Problem('not_found', { detail: 'Nobody signs in with this address.' })
  return account.user_id
}

const end =
  ({ pool }: Operator, grants: Grants, work: End): Handle<operations['disablePerson']> =>
  async (request) => {
    const { email } = request.body
    const body = await withTransaction(pool, { workspaceId: null }, async (tx) => {
      const userId = await personOf(tx, email)
      await work(tx, { userId, grants, by: byOperator(request.requestId) })
      return { user_id: userId }
    })
    return { status: 200, body }
  }

const link =
  ({ pool, authUrl }: Operator): Handle<operations['makePasswordLinkAsOperator']> =>
  async (request) => {
    const { email } = request.body
    const body = await withTransaction(pool, { workspaceId: null }, async (tx) => {
      const userId = await personOf(tx, email)
      const made = await makePasswordLink(tx, { userId, by: null, authUrl })
      if (made === null) throw new Problem('not_found', { detail: 'The account is disabled.' })
      await recordAuditOfPerson(tx, {
        ...originOfBy(byOperator(request.requestId)),
        action: 'password_link_made',
        object: userId,
      })
      return { link: made.link, expires: made.expires.toISOString() }
    })
    return { status: 201, body, holdsSecret: true }
  }

export const accountRoutes = (o: Operator, grants: Grants): RouteOf<paths>[] => {
  const command = { method: 'POST', scope: null } as const
  return [
    { ...command, path: '/internal/people/disable', handle: end(o, grants, disableAccount) },
    { ...command, path: '/internal/people/erase', handle: end(o, grants, eraseAccount) },
    { ...command, path: '/internal/people/password-link', handle: link(o) },
  ]
}

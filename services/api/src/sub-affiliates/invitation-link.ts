// The link of an invitation, shown in the answer that made it and nowhere else: what is stored is the digest of its token.
import { randomBytes } from 'node:crypto'
import { digestOf } from '@wds/access/digest'
import type { Transaction } from '@wds/postgres/transaction'
import { replaceInvitation } from './store-invitations.ts'

/** The page of an invitation; the token stands in place of the last part. */
export const invitationPath = '/v1/sub-affiliate-invitations/{token}'

const tokenBytes = 32
const shape = /^[A-Za-z0-9_-]{43}$/

/** What a token is looked up by; null for a text that can be none. */
export function digestOfToken(text: string): Buffer | null {
  return shape.test(text) ? digestOf(text) : null
}

/** For one request, whose transaction may run more than once: the last one counts. */
export class InvitationLink {
  readonly #baseUrl: string
  #url: string | null = null

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Another one in place of that which was open. */
  async renew(tx: Transaction, o: { subAffiliateId: string; expiresMs: number }): Promise<void> {
    const token = randomBytes(tokenBytes).toString('base64url')
    await replaceInvitation(tx, { ...o, digest: digestOf(token) })
    this.#url = this.#baseUrl.replace(/\/+$/, '') + invitationPath.replace('{token}', token)
  }

  readonly shownOnce = (): { invitation_url: string } | null =>
    this.#url === null ? null : { invitation_url: this.#url }
}

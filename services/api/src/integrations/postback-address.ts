// The address that a network sends postbacks to, shown in the answer that made it and nowhere else (domain.md 4.3).
import { change } from '@wds/aggregate/resource'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations } from '../openapi.generated.ts'
import type { CredentialsMark } from './domain/integration-fields.ts'
import { digestOfToken, makeToken, markOfToken, urlOfToken } from './postback-token.ts'
import { integrations } from './resource.ts'
import { replaceToken } from './store-postback-tokens.ts'

/** The address that a request makes; none before `renew`. */
export class PostbackAddress {
  readonly #baseUrl: string
  #url: string | null = null

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Another one; what the stream is told of it. */
  async renew(tx: Transaction, integrationId: string, nowMs: number): Promise<CredentialsMark> {
    const token = makeToken()
    const digest = digestOfToken(token)
    if (digest === null) throw new Error('a token that is none')
    await replaceToken(tx, integrationId, digest)
    this.#url = urlOfToken(this.#baseUrl, token)
    return markOfToken(digest, nowMs)
  }

  /** What the answer shows. */
  readonly shownOnce = (): { postback_url: string } | null => (this.#url === null ? null : { postback_url: this.#url })
}

/** POST /v1/integrations/{id}/rotate-postback-token: another address; the one before is good for 24 hours more. */
export function rotatePostbackToken(request: ApiRequest<operations['rotatePostbackToken']>, o: ApiDependencies) {
  const address = new PostbackAddress(o.baseUrl)
  return change(
    request,
    integrations,
    async (tx, { id, state, nowMs }) => {
      if (state.fields?.provider !== 'postback') throw new Problem('no_postbacks')
      return { type: 'update', patch: {}, credentials: await address.renew(tx, id, nowMs), atMs: nowMs }
    },
    address,
  )
}

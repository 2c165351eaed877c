// An app as the engine's client: the one strict mapping. Logo and name stay out of it (W9).
import { timingSafeEqual } from 'node:crypto'
import { digestOf } from '@wds/access/digest'
import type { Plan } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import type { AdapterPayload } from 'oidc-provider'
import type { Client } from '../../oauth-apps/store.ts'

/** Name of the one property that the engine does not know. */
export const appProperty = 'app'

type AppSecret = Omit<Client['secrets'][number], 'digest' | 'ends'> & { digest: string }

/** What of an app stands there. */
export interface AppMetadata {
  appId: string
  /** Of its owner. */
  workspaceId: string
  /** Of that workspace. */
  plan: Plan
  scopes: readonly Scope[]
  /** Digests in hex; `isNoted`: its use in this minute is. */
  secrets: readonly AppSecret[]
}

export function toClientMetadata(client: Client): AdapterPayload {
  const app: AppMetadata = {
    appId: client.appId,
    workspaceId: client.workspaceId,
    plan: client.plan,
    scopes: client.scopes,
    secrets: client.secrets.map(({ id, digest, isNoted }) => ({ id, digest: digest.toString('hex'), isNoted })),
  }
  return {
    client_id: client.clientId,
    // The engine wants one and never compares it: the live ones are compared by their digests (W8).
    client_secret: 'x'.repeat(64),
    redirect_uris: [...client.redirectUrls],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'web',
    [appProperty]: app,
  } as AdapterPayload
}

/** Of a client of the engine. */
export function appOf(client: unknown): AppMetadata {
  return (client as { [appProperty]: AppMetadata })[appProperty]
}

/** The live secret that was presented, or null. Compares with every one, each in constant time. */
export function matchingSecret<S extends { digest: string }>(secrets: readonly S[], presented: string): S | null {
  const given = digestOf(presented)
  let found: S | null = null
  for (const secret of secrets) if (timingSafeEqual(given, Buffer.from(secret.digest, 'hex'))) found = secret
  return found
}

import type { Pool } from '@wds/postgres/pool'
import { findClient } from '../../oauth-apps/store.ts'
import { findRecord } from './store.ts'

/** Name of the app whose authorisation goes on at this path, whoever asks: the id in it is the secret. Null: none, or it is over. */
export async function appNameOf(pool: Pool, path: string): Promise<string | null> {
  const uid = /^\/oauth\/(?:consent|authorize)\/([\w-]+)(?:\?|$)/.exec(path)?.[1]
  const interaction = uid === undefined ? null : await findRecord(pool, 'Interaction', uid)
  const { client_id: clientId } = (interaction?.payload.params ?? {}) as { client_id?: unknown }
  const client = typeof clientId === 'string' ? await findClient(pool, clientId) : null
  return client === null || client.state === 'suspended' ? null : client.name
}

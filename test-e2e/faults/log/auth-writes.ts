/** What is written to auth while the broker is away: answered at once, a revocation after 5 s at most, and told once the broker is back (decision 42). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogRecord } from '@wds/event-log/port'
import type { OAuthClient } from '../../harness/oauth-client.ts'
import type { Rig } from '../rig/rig.ts'

export interface AuthWrites {
  /** Workspaces that were made, each with a key. */
  workspaces: string[]
  /** The workspace whose grant was revoked. */
  revokedIn: string
}

/** Makes workspaces one after the other, and revokes the grant, until `during` is over. @throws where one is not answered, or does not hold from then on. */
export async function writeToAuthWhile(
  o: { rig: Rig; oauth: OAuthClient; grant: { access_token: string; refresh_token: string } },
  during: () => Promise<unknown>,
): Promise<AuthWrites> {
  const { rig, oauth, grant } = o
  const workspaces: string[] = []
  let isOver = false
  const making = (async () => {
    while (!isOver) {
      workspaces.push((await rig.stack.makeWorkspace(`Made meanwhile ${workspaces.length}`)).workspaceId)
      await sleep(1_000)
    }
  })()
  const statusOf = async (token: string) => {
    const response = await fetch(`${rig.url}/v1/integrations`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  }
  const revoking = (async () => {
    const { status } = await oauth.revoke(grant.refresh_token)
    const then = await statusOf(grant.access_token)
    if (status !== 200 || then !== 401)
      throw new Error(`a revocation was answered with ${status}, its use with ${then}`)
  })()
  try {
    await during()
  } finally {
    isOver = true
    await Promise.all([making, revoking])
  }
  return { workspaces, revokedIn: oauth.workspaceId }
}

/** What was answered and does not stand in the log, a line each. */
export function authLosses(writes: readonly AuthWrites[], told: readonly LogRecord[]): string[] {
  const known = new Map(
    [...Map.groupBy(told, ({ key }) => key)].map(([key, records]) => [
      key,
      records.map(({ headers }) => String(headers.event_type)),
    ]),
  )
  const made = writes.flatMap(({ workspaces }) => workspaces)
  const revoked = new Set(
    told.filter(({ headers }) => headers.event_type === 'GrantRevoked').map(({ eventId }) => eventId),
  )
  return [
    ...made.flatMap((id) =>
      ['WorkspaceCreated', 'ApiKeyCreated']
        .filter((type) => !known.get(id)?.includes(type))
        .map((type) => `I1: the log has no ${type} of ${id}`),
    ),
    ...(revoked.size < writes.length ? [`I1: the log has ${revoked.size} revocations of ${writes.length}`] : []),
  ]
}

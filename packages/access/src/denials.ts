// Decides whether a token that is not over yet is refused all the same (auth.md 5.2), by the denials in memory.

import type { DenialRow } from './access-store.ts'
import type { AccessToken } from './access-token.ts'
import { type DenialKind, memberIdOf } from './denial-events.ts'

/** Denials in memory, as the table has them. */
export interface Denials {
  take(row: DenialRow): void
  clear(): void
  /** Forgets what is over. */
  prune(nowMs: number): void
  /** Is this token refused now? In epoch milliseconds. */
  denies(token: AccessToken, nowMs: number): boolean
}

export function createDenials(): Denials {
  const kinds: DenialKind[] = ['token', 'grant', 'client', 'scopes', 'member', 'user', 'workspace']
  const rows = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, DenialRow>()])) as {
    [kind in DenialKind]: Map<string, DenialRow>
  }
  return {
    take: (row) => void (row.lifted ? rows[row.kind].delete(row.id) : rows[row.kind].set(row.id, row)),
    clear: () => {
      for (const kind of kinds) rows[kind].clear()
    },
    prune: (nowMs) => {
      for (const kind of kinds) for (const [id, row] of rows[kind]) if (row.ends_ms <= nowMs) rows[kind].delete(id)
    },
    denies: (token, nowMs) => {
      const { client } = token
      const found = [
        rows.token.get(token.jti),
        rows.grant.get(client.grantId),
        rows.client.get(client.id),
        rows.scopes.get(client.id),
        rows.member.get(memberIdOf(client.workspaceId, client.userId)),
        rows.user.get(client.userId),
        rows.workspace.get(client.workspaceId),
      ]
      return found.some((row) => row !== undefined && nowMs < row.ends_ms && concerns(row, token))
    },
  }
}

function concerns(row: DenialRow, { issuedMs, memberRev, client }: AccessToken): boolean {
  if (row.kind === 'member') return row.rev_min === null || memberRev < row.rev_min
  if (row.kind !== 'scopes') return true
  const left = row.scopes ?? []
  const isOlder = issuedMs < (row.issued_before_ms ?? Number.POSITIVE_INFINITY)
  return isOlder && [...client.scopes].some((scope) => !left.includes(scope))
}

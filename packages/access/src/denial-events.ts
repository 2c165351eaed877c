// Reads which tokens an event of auth denies before their time, or lets pass again (auth.md 5.2).

import type { AuthEventType } from '@wds/contracts/auth-events'
import { instantMs, type RawEvent, text, texts, version } from './event-fields.ts'

/** What is refused: one token (jti), a grant (or session), a client, a client's scopes, a member, a user, a workspace. */
export type DenialKind = 'token' | 'grant' | 'client' | 'scopes' | 'member' | 'user' | 'workspace'

/** What an event says about tokens. */
export interface NewDenial {
  kind: DenialKind
  id: string
  /** Tokens pass again. */
  lifted: boolean
  /** 'member': the lowest `member_rev` that passes. */
  revMin: number | null
  /** 'scopes': a token issued before passes with these alone. */
  left: { issuedBefore: string; scopes: string[] } | null
  eventId: string
  /** RFC 3339: no token that it concerns lives longer. */
  ends: string
}

/** Events that take something from somebody who has a key or a token: who causes one is answered when it holds everywhere (auth.md 5.6). */
export const revocations: ReadonlySet<AuthEventType> = new Set<AuthEventType>([
  ...(['AccessTokenRevoked', 'GrantRevoked', 'SessionEnded', 'OAuthAppSuspended', 'OAuthAppDeleted'] as const),
  ...(['OAuthAppChanged', 'MemberRoleChanged', 'MemberRemoved', 'UserDisabled', 'WorkspaceDeleted'] as const),
  ...(['ApiKeyChanged', 'ApiKeyRotated', 'ApiKeyRevoked'] as const),
])

/** A token's life (auth.md 3.2) and the tolerance of clocks. */
const lastsMs = 61 * 60_000
/** A token bears the time of auth's host, an event that of its database; auth serves nobody while they differ by more (kubernetes.md K22). */
const clocksApartMs = 5_000

export const memberIdOf = (workspaceId: string, userId: string): string => `${workspaceId} ${userId}`

/** Names what is denied; null: the event denies nothing. Throws PoisonRecord for a malformed event. */
export function readDenial(event: RawEvent): NewDenial | null {
  const { type, data, eventId } = event
  const denial = (kind: DenialKind, id: string, over: Partial<NewDenial> = {}): NewDenial => {
    const base = { kind, id, lifted: false, revMin: null, left: null, eventId }
    return { ...base, ends: over.ends ?? after(createdMs(event), lastsMs), ...over }
  }
  switch (type) {
    case 'AccessTokenRevoked':
      return denial('token', text(data, 'jti'), { ends: after(instantMs(data, 'expires'), 60_000) })
    case 'GrantRevoked':
      return denial('grant', text(data, 'grant_id'))
    // A token of the settings pages names its session as its grant.
    case 'SessionEnded':
      return denial('grant', text(data, 'session_id'))
    case 'OAuthAppSuspended':
    case 'OAuthAppDeleted':
      return denial('client', text(data, 'client_id'))
    case 'OAuthAppReinstated':
      return denial('client', text(data, 'client_id'), { lifted: true })
    case 'OAuthAppChanged': {
      if (data.scopes_removed !== true) return null
      const issuedBefore = after(createdMs(event), clocksApartMs)
      return denial('scopes', text(data, 'client_id'), { left: { issuedBefore, scopes: texts(data, 'scopes') } })
    }
    // Versions of a membership go on when it is given again, so one number tells of a new role and of an end.
    case 'MemberRoleChanged':
    case 'MemberRemoved': {
      const id = memberIdOf(text(data, 'workspace_id'), text(data, 'user_id'))
      return denial('member', id, { revMin: version(data, 'member_rev') })
    }
    case 'UserDisabled':
      return denial('user', text(data, 'user_id'))
    case 'WorkspaceDeleted':
      return denial('workspace', text(data, 'workspace_id'))
    default:
      return null
  }
}

const createdMs = ({ created }: RawEvent): number => instantMs({ created }, 'created')

const after = (ms: number, moreMs: number): string => new Date(ms + moreMs).toISOString()

// The events of the topic `auth.events` (auth.md 1.3) as TypeScript types: what auth announces and every service judges by. They carry no
// personal data, addresses, credentials or tokens; a digest of a key is no credential. Each record is JSON: `id`, `type`, `created`, `data`.
import type { Plan, Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/** `live`: everybody may be asked; `development`: only its owner workspace. */
export type AppState = 'development' | 'live'

/** Why a session ended. */
export type SessionEnd = 'signed_out' | 'password_changed' | 'ended_by_user' | 'ended_by_owner' | 'user_disabled'

/** Why a grant ended. */
export type GrantEnd =
  | 'ended_by_user'
  | 'ended_by_admin'
  | 'revoked_by_app'
  | 'code_reused'
  | 'refresh_token_reused'
  | 'member_removed'
  | 'role_lost'
  | 'user_disabled'
  | 'app_deleted'
  | 'workspace_deleted'
  | 'expired'

interface OfWorkspace {
  workspace_id: string
}
interface OfApp extends OfWorkspace {
  app_id: string
  /** `cli_…` */
  client_id: string
}
interface OfMember extends OfWorkspace {
  user_id: string
  /** Version of the membership after the event; tokens carry it as `member_rev`. */
  member_rev: number
}
interface OfGrant extends OfWorkspace {
  grant_id: string
  user_id: string
  client_id: string
}

/** Data of each event by its type. Instants are RFC 3339 in UTC. */
export interface AuthEvents {
  UserRegistered: { user_id: string }
  UserDisabled: { user_id: string }
  SessionStarted: { session_id: string; user_id: string }
  SessionEnded: { session_id: string; user_id: string; reason: SessionEnd }

  MemberAdded: OfMember & { role: Role }
  MemberRoleChanged: OfMember & { role: Role }
  MemberRemoved: OfMember

  WorkspaceCreated: OfWorkspace & { name: string; slug: string; plan: Plan }
  WorkspaceChanged: OfWorkspace & { name?: string; slug?: string; strict_event_scopes?: boolean }
  WorkspacePlanChanged: OfWorkspace & { plan: Plan }
  WorkspaceDeleted: OfWorkspace

  OAuthAppRegistered: OfApp & {
    name: string
    scopes: Scope[]
    redirect_urls: string[]
    state: AppState
    /** SHA-256 of the logo's PNG, lower-case hex. */
    logo_digest: string
  }
  /** What is left out stays. `scopes_removed`: older tokens of this client that hold one of them are refused. */
  OAuthAppChanged: OfApp & {
    name?: string
    scopes?: Scope[]
    scopes_removed?: boolean
    redirect_urls?: string[]
    state?: AppState
    logo_digest?: string
  }
  OAuthAppSuspended: OfApp
  OAuthAppReinstated: OfApp
  OAuthAppDeleted: OfApp
  ClientSecretAdded: OfApp & { secret_id: string; previous_ends: string | null }
  ClientSecretEnded: OfApp & { secret_id: string }

  AppAuthorized: OfGrant & { app_id: string; scopes: Scope[]; member_rev: number }
  /** In older streams, one for each refresh; none is written any more. */
  TokenRefreshed: OfGrant
  GrantScopesCut: OfGrant & { scopes: Scope[] }
  GrantRevoked: OfGrant & { reason: GrantEnd }
  RefreshTokenReuseDetected: OfGrant
  /** One access token alone. `expires`: of the token. */
  AccessTokenRevoked: OfGrant & { jti: string; expires: string }

  ApiKeyCreated: OfWorkspace & {
    key_id: string
    /** SHA-256 of the whole key, lower-case hex. */
    digest: string
    prefix: string
    last4: string
    name: string
    scopes: Scope[]
    cidrs: string[]
    expires: string | null
    /** `usr_…`; null: made by the operator. */
    creator: string | null
  }
  /** All that may be changed, as it is now: a later one needs none of before. */
  ApiKeyChanged: OfWorkspace & { key_id: string; name: string; scopes: Scope[]; cidrs: string[] }
  ApiKeyRotated: OfWorkspace & { key_id: string; digest: string; prefix: string; last4: string; previous_ends: string }
  ApiKeyRevoked: OfWorkspace & { key_id: string }

  /** A key that signs access tokens, public members only (RFC 7517). Told to everybody before it signs. Key of the record: its `kid`. */
  SigningKeyPublished: {
    kid: string
    jwk: { kty: 'EC'; crv: 'P-256'; x: string; y: string; alg: 'ES256'; use: 'sig'; kid: string }
  }
  SigningKeyRetired: { kid: string }
}

/** Name of an event of auth. */
export type AuthEventType = keyof AuthEvents

/** One event as its stream holds it. */
export type AuthEvent<T extends AuthEventType = AuthEventType> = { [K in T]: { type: K; data: AuthEvents[K] } }[T]

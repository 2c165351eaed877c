// Removes what has ended, of every concept; the worker calls it every ten minutes.
import { pruneKept } from '@wds/event-store/kept-announcements'
import type { Pool } from '@wds/postgres/pool'
import { revokeUnusedKeys } from './api-keys/revoke-unused.ts'
import { pruneRevokedKeys } from './api-keys/store.ts'
import { pruneAudit } from './audit/store.ts'
import { pruneInvitations } from './invitations/store.ts'
import { pruneOAuth } from './oauth/prune.ts'
import { prunePasswordLinks } from './people/store-links.ts'
import { pruneSessions } from './sessions/store.ts'
import { pruneAttempts } from './throttle/store.ts'
import { pruneKnownBrowsers } from './throttle/store-known-browsers.ts'

/** What is told of people and signing keys is kept for good, as streams are: a few rows each. */
const pruneKeptSessions = (pool: Pool) => pruneKept(pool, ['SessionStarted', 'SessionEnded'])

const steps = [
  pruneRevokedKeys,
  revokeUnusedKeys,
  pruneAudit,
  pruneInvitations,
  pruneAttempts,
  pruneKnownBrowsers,
  prunePasswordLinks,
  pruneSessions,
  pruneKeptSessions,
  pruneOAuth,
]

export const prune = (pool: Pool): Promise<unknown> => Promise.all(steps.map((step) => step(pool)))

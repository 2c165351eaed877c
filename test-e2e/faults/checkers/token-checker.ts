/** I19 of reliability.md 5: no code or refresh token works twice, whatever became of the process that answered. It shares no code with the services. */

/** `unknown`: no answer, or one that does not say whether it worked. `other`: neither tokens nor `invalid_grant`. */
export type Outcome = 'worked' | 'refused' | 'unknown' | 'other'

/** A code or refresh token that a client presented. */
export interface Presentation {
  secret: string
  outcome: Outcome
}

/** A call with an access token. Instants are epoch milliseconds of the harness. */
export interface Access {
  token: string
  /** When it was sent. */
  atMs: number
  isAccepted: boolean
  /** When the token is over, by its own `exp`. */
  expiresMs: number
  /** When its revocation was answered; left out: never. */
  revokedMs?: number
}

/** Afterwards no revoked token opens anything, whatever is away; clocks may be apart by the other. */
const revokedMs = 60_000
const toleranceMs = 30_000

export interface TokenHistory {
  presentations: readonly Presentation[]
  /** Refresh tokens of each family that nobody presented yet, as they are stored. */
  unused: ReadonlyMap<string, number>
  /** What was presented again at the end, when it had worked before. */
  replays: readonly Presentation[]
  /** Rows of those families afterwards. */
  leftAfterReplays: number
  accesses?: readonly Access[]
}

/** One sentence for each breach; none when all is well. */
export function tokenBreachesOf(history: TokenHistory): string[] {
  const { presentations, unused, replays, leftAfterReplays, accesses = [] } = history
  const worked = presentations.filter(({ outcome }) => outcome === 'worked').map(({ secret }) => secret)
  return [
    ...worked.filter((secret, at) => worked.indexOf(secret) !== at).map((secret) => `I19: ${secret} worked twice`),
    // Two of them: one that an answer told of, and one of an answer that was lost.
    ...[...unused].filter(([, count]) => count > 1).map(([family, count]) => `I19: ${family} has ${count} live tokens`),
    ...replays.filter(({ outcome }) => outcome !== 'refused').map((r) => `I19: ${r.secret} again: ${r.outcome}`),
    ...presentations
      .filter(({ outcome }) => outcome === 'other')
      .map(({ secret }) => `${secret} was neither taken nor refused`),
    ...(leftAfterReplays === 0 ? [] : [`I19: ${leftAfterReplays} rows of families that were used twice`]),
    ...accesses.filter(({ isAccepted }) => isAccepted).flatMap(accessBreaches),
  ]
}

function accessBreaches({ token, atMs, expiresMs, revokedMs: sinceMs = Number.POSITIVE_INFINITY }: Access): string[] {
  return [
    ...(atMs > expiresMs + toleranceMs ? [`I19: ${token} opened ${atMs - expiresMs} ms after its expiry`] : []),
    ...(atMs > sinceMs + revokedMs ? [`I19: ${token} opened ${atMs - sinceMs} ms after its revocation`] : []),
  ]
}

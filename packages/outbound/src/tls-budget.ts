// Shares the event loop among workspaces where receivers make TLS expensive: a chain of certificates with numbers of their own choosing takes
// 5 ms of computing for each KB, an answer of thousands of session tickets or key updates 60 ms. What handshakes that came to nothing and
// such answers have cost is paid off before anything else of the workspace's receivers is computed.

/** Of the thread's time for such handshakes and answers of one workspace. */
const share = 0.05
/** So much is never waited for, ms: fifty handshakes with an expired certificate. */
const freeMs = 100
const sweepAbove = 1_000

/** What workspaces owe. */
export interface TlsBudget {
  /** Milliseconds until bytes for the workspace may be computed; 0: now. */
  waitMs(workspaceId: string): number
  /** `ms` of computing; less than 0 gives back that of a handshake that succeeded. */
  spend(workspaceId: string, ms: number): void
}

/** `nowMs` is monotonic; it is for tests. */
export function createTlsBudget(nowMs: () => number = () => performance.now()): TlsBudget {
  const debts = new Map<string, { ms: number; atMs: number }>()
  const debtOf = (workspaceId: string): number => {
    const debt = debts.get(workspaceId)
    return debt === undefined ? 0 : Math.max(0, debt.ms - (nowMs() - debt.atMs) * share)
  }
  const sweep = () => {
    for (const workspaceId of debts.keys()) if (debtOf(workspaceId) === 0) debts.delete(workspaceId)
  }
  return {
    waitMs: (workspaceId) => Math.max(0, Math.ceil((debtOf(workspaceId) - freeMs) / share)),
    spend(workspaceId, ms) {
      const owed = debtOf(workspaceId) + ms
      if (owed <= 0) debts.delete(workspaceId)
      else debts.set(workspaceId, { ms: owed, atMs: nowMs() })
      if (debts.size > sweepAbove) sweep()
    },
  }
}

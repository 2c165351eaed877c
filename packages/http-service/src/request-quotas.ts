// Decides whether a caller may ask once more in its window (C60 to C62). The processes of a service share one count; each takes a few
// requests of a caller from it in advance, so that most requests are judged in memory (decision 26).
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { isAddress } from './caller.ts'
import type { QuotaStore } from './quota-store.ts'

export interface QuotaSettings {
  /** Of one caller in a window; 0: no quota. */
  requests: number
  /** Milliseconds, at most an hour. */
  windowMs: number
}

/** How a caller stands after one request. */
export interface QuotaState {
  allowed: boolean
  /** Requests left. */
  left: number
  /** Seconds until the window ends, rounded up. */
  restSeconds: number
  /** The request was none: a 304 (C62). Tells how the caller stands then. */
  giveBack(): QuotaState
}

export interface RequestQuotas {
  take(caller: string): Promise<QuotaState>
}

// Shares of the quota: what a process takes in advance, and what is let through above the quota because other processes hold some in advance.
const inAdvance = 0.02
const above = 0.05
const inAdvanceMin = 10

// The database answers in a millisecond; a request does not wait longer than this for one that is down.
const countDeadlineMs = 1_000
const awayMs = 5_000

// Bounds the memory that a flood from ever new addresses takes; beyond it addresses share one count. Clients, which are known, never do.
const addressesKeptMax = 100_000

/** What this process knows of a caller in its window. */
interface Tally {
  /** In whose name it is counted. */
  caller: string
  /** Taken in advance and not used yet. */
  held: number
  /** By the shared count when it was last asked. */
  used: number
  /** End of the window on this process's clock, at the earliest and at the latest: the answer took some time to arrive. */
  endsMs: number
  endsLateMs: number
  asking: Promise<void> | null
}

/** `nowMs` is monotonic; it and `addressesMax` are for tests. */
export function createRequestQuotas(
  o: QuotaSettings & { store: QuotaStore; logger: Logger; nowMs?: () => number; addressesMax?: number },
): RequestQuotas {
  const { nowMs = () => performance.now(), addressesMax = addressesKeptMax } = o
  const most = o.requests + Math.floor(o.requests * above)
  const batch = Math.min(o.requests, Math.max(inAdvanceMin, Math.floor(o.requests * inAdvance)))
  let tallies = new Map<string, Tally>()
  let olderTallies = new Map<string, Tally>()
  let sweepMs = nowMs() + o.windowMs
  let awayUntilMs = 0
  const throttle = new LogThrottle()

  /** Forgets callers that made no request for a window: counts of an older window are useless. */
  const tallyOf = (caller: string): Tally => {
    if (nowMs() >= sweepMs) {
      olderTallies = tallies
      tallies = new Map()
      sweepMs = nowMs() + o.windowMs
    }
    const isNew = isAddress(caller) && !tallies.has(caller)
    const name = isNew && tallies.size >= addressesMax ? 'everybody else' : caller
    const tally = tallies.get(name) ?? olderTallies.get(name) ?? fresh(name)
    tallies.set(name, tally)
    return tally
  }
  const fresh = (caller: string): Tally => ({ caller, held: 0, used: 0, endsMs: 0, endsLateMs: 0, asking: null })

  const ask = async (tally: Tally): Promise<void> => {
    const sentMs = nowMs()
    const counted = sentMs < awayUntilMs ? null : await within(o.store.count(tally.caller, batch)).catch(noteAway)
    if (counted !== null) throttle.over()
    const ended = nowMs() >= tally.endsMs
    const { used, restMs } = counted ?? {
      // The database is down: this process counts alone.
      used: (ended ? 0 : tally.used) + batch,
      restMs: ended ? o.windowMs : tally.endsMs - sentMs,
    }
    tally.used = used
    tally.held = Math.min(batch, Math.max(0, most - (used - batch)))
    tally.endsMs = sentMs + restMs
    tally.endsLateMs = nowMs() + restMs
  }
  const noteAway = (error: unknown): null => {
    throttle.wrong(() =>
      o.logger.warn({ err: error }, 'request quotas: database did not answer, each process counts its own requests'),
    )
    awayUntilMs = nowMs() + awayMs
    return null
  }

  const standing = (tally: Tally, allowed: boolean): QuotaState => ({
    allowed,
    // What others hold in advance counts as used.
    left: allowed ? Math.max(0, o.requests - (tally.used - tally.held)) : 0,
    restSeconds: Math.max(1, Math.ceil((tally.endsLateMs - nowMs()) / 1_000)),
    giveBack: () => {
      if (allowed && tally.held < batch) tally.held += 1
      return standing(tally, allowed)
    },
  })

  return {
    take: async (caller) => {
      const tally = tallyOf(caller)
      // Several requests may wait for one answer. Those that find its batch used up ask for another one, until the quota is used up.
      while (tally.held === 0 || nowMs() >= tally.endsMs) {
        if (nowMs() < tally.endsMs && tally.used >= most) return standing(tally, false)
        tally.asking ??= ask(tally).finally(() => {
          tally.asking = null
        })
        await tally.asking
      }
      tally.held -= 1
      return standing(tally, true)
    },
  }
}

/** The answer, or a fault when it does not come in time. */
async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the count of requests did not answer in time')), countDeadlineMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

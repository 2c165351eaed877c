/** Apps that never rest: code flows and refreshes, one after the other for each, while what they present and what came of it is written down. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OAuthAnswer, OAuthClient } from '../../harness/oauth-client.ts'
import type { Outcome, Presentation, TokenHistory } from '../checkers/token-checker.ts'

export interface Presented extends Presentation {
  /** Presents it once more; that is not written down. */
  again(): Promise<Presentation>
}

/** The client; every code and refresh token that it presents is written down. An answer that does not come has the status 0. */
export function recorded(client: OAuthClient, presented: Presented[]): OAuthClient {
  const put = async (secret: string, present: () => Promise<OAuthAnswer>): Promise<OAuthAnswer> => {
    const surely = () => present().catch(() => ({ status: 0, body: null }))
    const answer = await surely()
    const again = async () => ({ secret, outcome: outcomeOf(await surely()) })
    presented.push({ secret, outcome: outcomeOf(answer), again })
    return answer
  }
  return {
    ...client,
    redeem: (code) => put(code.code, () => client.redeem(code)),
    refresh: (token) => put(token, () => client.refresh(token)),
  }
}

function outcomeOf({ status, body }: OAuthAnswer): Outcome {
  if (status === 0 || status >= 500) return 'unknown'
  if (status === 200) return 'worked'
  return status === 400 && body?.error === 'invalid_grant' ? 'refused' : 'other'
}

export interface TokenLoad {
  /** Answers that gave tokens so far. */
  worked: number
  /** Times that an app asked the person anew, since what it presented again after a lost answer was refused. */
  restarts: number
  /** Apps that will refresh once more after what they present now, whatever happens: a kill now costs them an answer. */
  refreshing: number
}

export interface TokenLoadOptions {
  apps: number
  /** Refreshes of a grant before its app asks for a new one. */
  refreshesEach: number
  paceMs: number
  /** So long after `during` an app may take to get tokens once more, ms; default 5 minutes. */
  endsWithinMs?: number
  during(load: TokenLoad): Promise<unknown>
}

const endsWithinMs = 300_000

/** As a careful client does it: what was not answered is presented again, and where that is refused the person is asked anew. */
export async function useTokensWhile(client: OAuthClient, o: TokenLoadOptions): Promise<TokenLoad> {
  const load: TokenLoad = { worked: 0, restarts: 0, refreshing: 0 }
  let isOver = false
  let isGivenUp = false

  /** The refresh token; null: refused after a lost answer. @throws Error when it is refused at once. */
  async function surely(present: () => Promise<OAuthAnswer>): Promise<string | null> {
    for (let wasLost = false; !isGivenUp; wasLost = true) {
      const { status, body } = await present()
      await sleep(o.paceMs)
      if (status === 200) {
        load.worked += 1
        return body.refresh_token
      }
      if (status !== 0 && status < 500) {
        if (!wasLost) throw new Error(`no answer was lost, yet it was refused: ${JSON.stringify(body)}`)
        load.restarts += 1
        return null
      }
    }
    return null
  }

  async function use(): Promise<void> {
    // The last one ends well: whoever lost an answer gets tokens again.
    for (let token: string | null = null; !isGivenUp && (!isOver || token === null); ) {
      const code = await client.authorize().catch(() => null)
      if (code === null) {
        await sleep(o.paceMs)
        continue
      }
      token = await surely(() => client.redeem(code))
      load.refreshing += 1
      for (let nth = 1; nth <= o.refreshesEach; nth += 1) {
        if (nth === o.refreshesEach) load.refreshing -= 1
        if (token === null) continue
        const presented: string = token
        token = await surely(() => client.refresh(presented))
      }
    }
  }

  const using = Promise.all(Array.from({ length: o.apps }, use))
  try {
    await Promise.race([o.during(load), using])
  } catch (error) {
    isGivenUp = true
    await using.catch(() => undefined)
    throw error
  }
  isOver = true
  // Where auth never comes back no app ends well, and the run would have no end.
  const timer = setTimeout(() => {
    isGivenUp = true
  }, o.endsWithinMs ?? endsWithinMs)
  try {
    await using
  } finally {
    clearTimeout(timer)
  }
  if (isGivenUp) throw new Error('an app that lost an answer got no tokens again')
  return load
}

/** What the checker asks of auth's tables, and what becomes of everything that worked when it is presented again: that ends every family. */
export async function tokenHistoryOf(
  presentations: readonly Presented[],
  ask: <T>(sql: string) => Promise<T[]>,
): Promise<TokenHistory> {
  const families = await ask<{ family: string; unused: number }>(
    `select grant_id as family, (count(*) filter (where kind = 'RefreshToken' and consumed_at is null))::int as unused
      from auth.engine_records where grant_id is not null group by grant_id`,
  )
  const replays: Presentation[] = []
  for (const { again } of presentations.filter(({ outcome }) => outcome === 'worked')) replays.push(await again())
  // A code that is over ends nothing when it comes again, and its row waits for the purge.
  const left = await ask('select from auth.engine_records where consumed_at is not null and expires_at > now()')
  const unused = new Map(families.map(({ family, unused }) => [family, unused]))
  return { presentations, unused, replays, leftAfterReplays: left.length }
}

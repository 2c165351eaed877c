// Asks auth what this process cannot know by itself (auth.md 5.4, 5.7), once for all who want to know the same thing within a while.

import { ServiceError } from '@wds/postgres/transaction'

/** What is asked, under a name of its own. */
export interface Questions<Q, A> {
  /** Rejects with `ServiceError` `keys_unavailable` (→ 503) when auth was asked too often or did not answer. */
  ask(name: string, question: Q): Promise<A>
}

export interface QuestionsOptions<Q, A> {
  ask(question: Q): Promise<A>
  /** Milliseconds for which this answer is remembered. */
  rememberMs(answer: A): number
  /** At most so many questions in a second; no limit unless told. */
  perSecond?: number
  /** For tests. */
  monotonicMs?: () => number
}

interface Entry<A> {
  answer: Promise<A> | null
  untilMs: number
}

const rememberedMax = 10_000

export function createQuestions<Q, A>(o: QuestionsOptions<Q, A>): Questions<Q, A> {
  const { perSecond = Number.POSITIVE_INFINITY, monotonicMs = () => performance.now() } = o
  const answers = new Map<string, Entry<A>>()
  let second = { beganMs: Number.NEGATIVE_INFINITY, asks: 0 }

  function judgeRate(nowMs: number): void {
    if (nowMs - second.beganMs >= 1_000) second = { beganMs: nowMs, asks: 0 }
    second.asks += 1
    if (second.asks > perSecond) throw unavailable('Auth is asked too often.')
  }

  async function askNow(name: string, question: Q): Promise<A> {
    try {
      const answer = await o.ask(question)
      const remembered = answers.get(name)
      if (remembered) remembered.untilMs = monotonicMs() + o.rememberMs(answer)
      return answer
    } catch (cause) {
      answers.delete(name)
      throw unavailable('Auth could not be asked.', cause)
    }
  }
  return {
    async ask(name, question) {
      const nowMs = monotonicMs()
      const known = answers.get(name)
      if (known?.answer && nowMs < known.untilMs) return known.answer
      judgeRate(nowMs)
      answers.delete(name)
      const [oldest] = answers.size < rememberedMax ? [] : answers.keys()
      if (oldest !== undefined) answers.delete(oldest)
      const entry: Entry<A> = { answer: null, untilMs: Number.POSITIVE_INFINITY }
      answers.set(name, entry)
      const answer = askNow(name, question)
      entry.answer = answer
      return answer
    },
  }
}

const unavailable = (message: string, cause?: unknown) => new ServiceError('keys_unavailable', message, { cause })

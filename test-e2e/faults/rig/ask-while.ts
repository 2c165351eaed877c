// What callers are answered while a fault lasts.
import { setTimeout as sleep } from 'node:timers/promises'

/** Asks with one credential after the other, again and again, until `during` is over. Gives all statuses, in order. */
export async function askWhile(
  o: { credentials: string[]; ask(credential: string): Promise<number>; pauseMs: number },
  during: () => Promise<unknown>,
): Promise<number[]> {
  const statuses: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      for (const one of o.credentials) statuses.push(await o.ask(one))
      await sleep(o.pauseMs)
    }
  })()
  try {
    await during()
  } finally {
    isOver = true
    await asking
  }
  return statuses
}

// What an attempt at somebody's account counts for (security.md 5, XO10, decision 44): failures of strangers slow strangers down, and not
// the browser in which the person signed in before.
import { hash, randomUUID } from 'node:crypto'
import { callerAt } from '@wds/http-service/caller'
import type { Attempt } from './store.ts'

/** Failures within 15 minutes after which the next attempt is refused. */
export const failuresMax = {
  /** Of an account in a browser that signed in to it before; they count for nothing else. */
  knownBrowser: 10,
  /** Of an account at one network, in all other browsers. */
  accountAtNetwork: 10,
  /** Of an account in all other browsers, wherever they are. */
  account: 100,
  /** At one network in all other browsers, whichever accounts are named. */
  network: 50,
} as const

/** `address`: of the client; IPv6 counts by its /64. `browser`: digest of one that signed in to this account before, else null. */
export function attemptOf(o: { emailKey: string; address: string; browser: Buffer | null }): Attempt {
  const { emailKey, browser } = o
  const network = callerAt(o.address)
  const count = (most: number, ...subject: string[]) => ({
    subject: hash('sha256', JSON.stringify(subject), 'buffer'),
    most,
  })
  const counts =
    browser === null
      ? [
          count(failuresMax.accountAtNetwork, 'account at network', emailKey, network),
          count(failuresMax.account, 'account', emailKey),
          count(failuresMax.network, 'network', network),
        ]
      : [count(failuresMax.knownBrowser, 'known browser', emailKey, browser.toString('hex'))]
  return { id: randomUUID(), counts }
}

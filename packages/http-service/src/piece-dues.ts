// Shares the time for small pieces of bodies among the addresses that send them: pure but for the clock.

/** One piece costs its address so much waiting, ms: some twenty times what it costs this process. */
const pieceMs = 0.02
/** So many addresses are served beside each other at that rate. Of more, each is served more slowly, so that all of them have a tenth of the time. */
const addressesAtOnce = 2
/** As many addresses as connections, and more; any others are one together. */
const addressesMax = 20_000
const sweepEveryMs = 1_000

interface Account {
  /** Until when what the address sent is paid for by waiting. */
  untilMs: number
  /** Connections that wait for it. */
  waiting: number
}

export class PieceDues {
  readonly #nowMs: () => number
  readonly #accounts = new Map<string, Account>()
  readonly #others: Account = { untilMs: 0, waiting: 0 }
  #addressesWaiting = 0
  #sweptMs = Number.NEGATIVE_INFINITY

  /** `nowMs`: monotonic, milliseconds. */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#accounts.size
  }

  /** One more piece of an address. Answers until when to wait for it, behind all that came from there before. */
  charge(address: string): number {
    const account = this.#accountOf(address)
    const share = Math.max(1, this.#addressesWaiting / addressesAtOnce)
    account.untilMs = Math.max(account.untilMs, this.#nowMs()) + pieceMs * share
    return account.untilMs
  }

  /** A connection of the address waits, until the function given back is called, once. */
  wait(address: string): () => void {
    const account = this.#accountOf(address)
    account.waiting += 1
    if (account.waiting === 1) this.#addressesWaiting += 1
    return () => {
      account.waiting -= 1
      if (account.waiting === 0) this.#addressesWaiting -= 1
    }
  }

  #accountOf(address: string): Account {
    const known = this.#accounts.get(address)
    if (known) return known
    this.#sweep()
    if (this.#accounts.size >= addressesMax) return this.#others
    const account = { untilMs: 0, waiting: 0 }
    this.#accounts.set(address, account)
    return account
  }

  /** Whoever has paid is as one who never came. */
  #sweep(): void {
    const nowMs = this.#nowMs()
    if (nowMs - this.#sweptMs < sweepEveryMs) return
    this.#sweptMs = nowMs
    for (const [address, { untilMs, waiting }] of this.#accounts)
      if (waiting === 0 && untilMs <= nowMs) this.#accounts.delete(address)
  }
}

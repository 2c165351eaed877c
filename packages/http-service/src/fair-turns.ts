// Shares places, such as a pool's connections, among workspaces: one that asks for many at once leaves some for those who come later (decision 26).
import { ServiceError } from '@wds/postgres/transaction'

interface Waiter {
  start(): void
}

/**
 * Turns on a fixed number of places. A workspace gets another place while it has fewer than are free: one alone gets half of them, each
 * of two a third, and some are left for whoever comes. Those that wait are served in turn, one of each workspace.
 */
export class FairTurns {
  readonly #waitMs: number
  #free: number
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Waiter[]>()

  /** `waitMs`: longest wait for a place. */
  constructor(places: number, o: { waitMs: number }) {
    this.#free = places
    this.#waitMs = o.waitMs
  }

  /** Runs `fn` on a place of its own. Rejects with ServiceError `database_unavailable` when none came free in time. */
  async run<T>(workspaceId: string, fn: () => Promise<T>): Promise<T> {
    if (this.#waiting.has(workspaceId) || !this.#mayStart(workspaceId)) await this.#wait(workspaceId)
    else this.#start(workspaceId)
    try {
      return await fn()
    } finally {
      this.#end(workspaceId)
    }
  }

  #mayStart(workspaceId: string): boolean {
    return (this.#running.get(workspaceId) ?? 0) < this.#free
  }

  #start(workspaceId: string): void {
    this.#free -= 1
    this.#running.set(workspaceId, (this.#running.get(workspaceId) ?? 0) + 1)
  }

  #wait(workspaceId: string): Promise<void> {
    return new Promise((settle, fail) => {
      const waiter = {
        start: () => {
          clearTimeout(timer)
          settle()
        },
      }
      const line = this.#waiting.get(workspaceId) ?? []
      this.#waiting.set(workspaceId, line)
      line.push(waiter)
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiter), 1)
        if (line.length === 0) this.#waiting.delete(workspaceId)
        fail(new ServiceError('database_unavailable', 'No place came free in time.'))
      }, this.#waitMs).unref()
    })
  }

  #end(workspaceId: string): void {
    this.#free += 1
    const running = (this.#running.get(workspaceId) ?? 1) - 1
    if (running === 0) this.#running.delete(workspaceId)
    else this.#running.set(workspaceId, running)
    for (const [waiting, line] of [...this.#waiting]) {
      if (this.#free === 0) return
      if (!this.#mayStart(waiting)) continue
      this.#start(waiting)
      // Behind the others for the next place.
      this.#waiting.delete(waiting)
      const next = line.shift()
      if (line.length > 0) this.#waiting.set(waiting, line)
      next?.start()
    }
  }
}

// The subscriptions of workspaces in memory, ready to be matched. A cache: whoever makes deliveries compares the version.
import type { Pool } from '@wds/postgres/pool'
import { createMatchIndex, type MatchIndex } from './domain/matching.ts'
import { loadSubscriptionIndex } from './store-index.ts'

/** Most workspaces in the index; the one loaded longest ago is evicted first. */
const workspacesMax = 10_000

/** The subscriptions of a workspace at one version. */
export interface IndexEntry {
  readonly version: string
  readonly index: MatchIndex
}

export class SubscriptionIndex {
  readonly #entries = new Map<string, IndexEntry>()

  get(workspaceId: string): IndexEntry | undefined {
    return this.#entries.get(workspaceId)
  }

  /** Loads workspaces that it lacks, or has in another version than the given one. */
  async loadMissing(pool: Pool, wanted: readonly { workspace_id: string; version: string }[]): Promise<void> {
    const missing = new Set(
      wanted.filter((e) => this.get(e.workspace_id)?.version !== e.version).map((e) => e.workspace_id),
    )
    if (missing.size === 0) return
    for (const entry of await loadSubscriptionIndex(pool, [...missing])) {
      this.#entries.delete(entry.workspaceId)
      this.#entries.set(entry.workspaceId, { version: entry.version, index: createMatchIndex(entry.subscriptions) })
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= workspacesMax) break
      this.#entries.delete(oldest)
    }
  }

  forget(workspaceIds: Iterable<string>): void {
    for (const id of workspaceIds) this.#entries.delete(id)
  }
}

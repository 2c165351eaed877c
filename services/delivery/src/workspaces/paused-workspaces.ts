// Workspaces that are skipped for a fixed time, each counted by itself.

export class PausedWorkspaces {
  readonly #pauseMs: number
  readonly #untilMs = new Map<string, number>()

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  pause(workspaceIds: Iterable<string>): void {
    const untilMs = performance.now() + this.#pauseMs
    for (const id of workspaceIds) this.#untilMs.set(id, untilMs)
  }

  has(workspaceId: string): boolean {
    const untilMs = this.#untilMs.get(workspaceId)
    if (untilMs === undefined) return false
    if (performance.now() < untilMs) return true
    this.#untilMs.delete(workspaceId)
    return false
  }

  /** Those that are skipped now. */
  ids(): string[] {
    return [...this.#untilMs.keys()].filter((id) => this.has(id))
  }
}

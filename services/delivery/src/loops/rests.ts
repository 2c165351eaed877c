// Workspaces that are left alone for a while, each by itself.

export class Rests {
  readonly #restMs: number
  readonly #untilMs = new Map<string, number>()

  constructor(restMs: number) {
    this.#restMs = restMs
  }

  begin(workspaceIds: Iterable<string>): void {
    const untilMs = performance.now() + this.#restMs
    for (const id of workspaceIds) this.#untilMs.set(id, untilMs)
  }

  has(workspaceId: string): boolean {
    const untilMs = this.#untilMs.get(workspaceId)
    if (untilMs === undefined) return false
    if (performance.now() < untilMs) return true
    this.#untilMs.delete(workspaceId)
    return false
  }
}

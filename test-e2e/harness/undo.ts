/** Steps, the last of which is taken first. */
export type Undo = (() => unknown)[]

/**
 * What a start has to take back, at its end or when it fails: the last step first, each once. A step that fails keeps no other one from being
 * taken: a mount, a server or a folder would be left. `stop` rejects with what failed, several in one AggregateError.
 */
export function createUndo(): { undo: Undo; stop: () => Promise<void> } {
  const undo: Undo = []
  return {
    undo,
    stop: async () => {
      const faults: unknown[] = []
      for (const step of undo.splice(0).reverse()) {
        try {
          await step()
        } catch (fault) {
          faults.push(fault)
        }
      }
      if (faults.length === 1) throw faults[0]
      if (faults.length > 1) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}

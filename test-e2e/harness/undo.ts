/** What a start has to take back, at its end or when it fails: the last step first, each once. */
export function createUndo(): { undo: (() => unknown)[]; stop: () => Promise<void> } {
  const undo: (() => unknown)[] = []
  return {
    undo,
    stop: async () => {
      for (const step of undo.splice(0).reverse()) await step()
    },
  }
}

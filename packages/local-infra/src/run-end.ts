// Runs one last step when a test run ends, also by SIGINT or SIGTERM. What SIGKILL leaves is up to the next run.

/** Calls `step`, which must be synchronous, at the end of this process; the returned function calls that off. */
export function atRunEnd(step: () => void): () => void {
  const bySignal = (signal: NodeJS.Signals) => {
    step()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('exit', step)
  // Not once: without a listener a second signal, of who passes on what a terminal sent, would end the step amid it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, bySignal)
  return () => {
    process.off('exit', step)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, bySignal)
  }
}

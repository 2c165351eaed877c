// Waits that end early, and leave no timer behind.

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}

/** Waits for `promise`, at most `ms` milliseconds or until the signal is aborted; rejects only as `promise` does. */
export async function waitFor(promise: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([promise, wait(ms, signal ? AbortSignal.any([signal, over.signal]) : over.signal)])
  } finally {
    over.abort()
  }
}

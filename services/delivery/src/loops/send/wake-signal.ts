// A signal within the process: whoever waits goes on when it is raised or when the time is over. A raise that nobody waits for is kept for the next wait.

/** Raised by those who made work, waited for by the loop that does it. */
export interface WakeSignal {
  raise(): void
  /** True when it was raised, false when `timeoutMs` passed. One waiter at a time. */
  wait(timeoutMs: number): Promise<boolean>
}

/** Makes a signal that is not raised. */
export function createWakeSignal(): WakeSignal {
  let isRaised = false
  let wake: (() => void) | null = null
  return {
    raise() {
      isRaised = true
      wake?.()
    },
    wait(timeoutMs) {
      if (isRaised) {
        isRaised = false
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const end = (raised: boolean): void => {
          clearTimeout(timer)
          wake = null
          isRaised = false
          resolve(raised)
        }
        const timer = setTimeout(() => end(false), timeoutMs)
        wake = () => end(true)
      })
    },
  }
}

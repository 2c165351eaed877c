// The one way in which this package refuses: a clear sentence for the person at the terminal.

/** A local service cannot run; the message is one sentence that says why and what to do. */
export class LocalInfraError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'LocalInfraError'
  }
}

/** The text of whatever was thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

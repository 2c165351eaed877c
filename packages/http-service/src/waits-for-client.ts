// Says of an answer that its client is waited for: to take what was written of it before more is, or to send the rest of a request that
// was refused early.

/** An event of the response: whoever hears it bounds how long that may last (listener.ts), or stops counting it as work (working-line.ts). */
export const waitsForClient = Symbol('the answer waits for its client')

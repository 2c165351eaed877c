// Says of an answer that is sent in parts that its client has to take what was written before more is.

/** An event of the response: whoever hears it bounds how long that may last (listener.ts), or stops counting it as work (working-line.ts). */
export const waitsForClient = Symbol('the answer waits for its client')

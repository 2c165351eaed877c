// The limits of one listener, defaults of api-conventions.md 2, 3 and C87. Tests scale them down; nothing else should.

export interface HttpLimits {
  /** Header lines of a request in bytes, the target not counted. */
  headerBytesMax: number
  /** Until the last header line. */
  headersDeadlineMs: number
  /** Until the last byte of a body that is held in memory. */
  requestDeadlineMs: number
  /** Until the last byte of a streamed body (imports). */
  streamDeadlineMs: number
  /** How often deadlines of connections are looked at. */
  checkEveryMs: number
  /** A JSON body. */
  bodyBytesMax: number
  /** A streamed body. */
  streamBytesMax: number
  /** How long a client may leave an answer unread: its bytes wait in memory. */
  unreadMs: number
  /** How many bytes of its answer a client must read in a second, beside `unreadMs`: it would hold them for days. */
  readBytesPerSecond: number
  /** Bytes of answers that wait in memory for one caller to read them, before no other request of that caller is let in. */
  unreadBytesPerCaller: number
  /** For all; a caller below the share of them is let in up to twice as many. */
  unreadBytesMax: number
  /** Connections at a time. Above, those that are idle are closed, and a new one is dropped. */
  connectionsMax: number
  /** How long the rest of a refused body is read and dropped, so that the client gets to read the answer: as long as for one that is wanted. */
  drainMs: number
}

export const defaultLimits: HttpLimits = {
  headerBytesMax: 16_384,
  headersDeadlineMs: 10_000,
  requestDeadlineMs: 30_000,
  streamDeadlineMs: 300_000,
  checkEveryMs: 1_000,
  bodyBytesMax: 1_048_576,
  streamBytesMax: 52_428_800,
  unreadMs: 30_000,
  readBytesPerSecond: 16_384,
  unreadBytesPerCaller: 33_554_432,
  unreadBytesMax: 268_435_456,
  connectionsMax: 10_000,
  drainMs: 30_000,
}

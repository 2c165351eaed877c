// How instants of a lane are shown. Nothing beside them says when the attempt began, so they cannot be rounded as its duration is,
// and exact ones would tell how long an address took to answer (security.md 1).

/** The next whole second, in epoch milliseconds. */
export function wholeSecond(ms: number): number {
  return Math.ceil(ms / 1_000) * 1_000
}

// Reads and writes lengths of time as people write them (`30s`). Inside the program they are milliseconds (style.md 24).

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of `250ms`, `30s`, `2m`, `1h` or `7d`, or null when the text is none of these. At most 9 digits. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text)
  if (match === null) return null
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]
}

/** The shortest text that `parseDuration` reads back as `ms`, with the largest unit that divides it. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s'
  for (const unit of ['d', 'h', 'm', 's'] as const) if (ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`
  return `${ms}ms`
}

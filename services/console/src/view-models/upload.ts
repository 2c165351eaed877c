// What a file is sent as, by its name.

export function mediaTypeOf(name: string): 'text/csv' | 'application/x-ndjson' {
  return /\.(ndjson|jsonl)$/i.test(name) ? 'application/x-ndjson' : 'text/csv'
}

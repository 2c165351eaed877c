// What Postgres keeps of texts that anybody may have written into the log: no U+0000, and in an index no more than a page has room for.
import { createHash } from 'node:crypto'

// Of up to 3 bytes each, three in one index: a row of it has 2,704 bytes.
const charactersMax = 200

/** True when a column, and an index on it, keep the text as it is. */
export function isStorable(text: string): boolean {
  return text.length <= charactersMax && !text.includes('\0')
}

/** The text; where it cannot be kept, its beginning and a digest that tells it from others. */
export function storable(text: string): string {
  if (isStorable(text)) return text
  const digest = createHash('sha256').update(text).digest('hex')
  return `${text.slice(0, 60).replaceAll('\0', '\uFFFD')}… sha256:${digest}`
}

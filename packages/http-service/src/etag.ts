// Writes and reads entity tags (RFC 9110 8.8.3). It decides nothing about the resource: only what a tag looks like and when two are equal.
import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** The plain strong form of a version: `"v7"` (C42). */
export function etagOf(version: number): string {
  return `"v${version}"`
}

/** `"v7.<hash>"` for an answer that also depends on parameters or on other versions; never accepted by If-Match (C42). */
export function etagWith(version: number, parts: unknown): string {
  return `"v${version}.${hash(canonicalJson(parts))}"`
}

/** `"<hash>"` of a representation that has no version, such as a final stats answer (C40). */
export function etagOfContent(content: string | Uint8Array): string {
  return `"${hash(content)}"`
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

const tagPattern = /^[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/

/** Reads If-Match or If-None-Match: the tags as sent, `*`, or null when the header is malformed. */
export function parseEntityTags(header: string): string[] | '*' | null {
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  let rest = header
  while (rest.trim() !== '') {
    const match = tagPattern.exec(rest)
    if (!match?.[1]) return null
    tags.push(match[1])
    rest = rest.slice(match[0].length)
  }
  return tags.length > 0 ? tags : null
}

/** Weak comparison, for If-None-Match. */
export function matchesWeakly(tags: string[] | '*', etag: string): boolean {
  if (tags === '*') return true
  const opaque = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag)
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

// Turns an answer into its one text, so that a stored answer and a fresh one are the same bytes.
import type { ApiAnswer } from './route.ts'

/** The body's bytes, or null without a body. */
export function answerBytes(answer: Pick<ApiAnswer, 'status' | 'body' | 'bytes'>): Uint8Array | null {
  if (answer.status === 204 || answer.status === 304) return null
  if (answer.bytes) return answer.bytes
  return answer.body === undefined ? null : Buffer.from(JSON.stringify(answer.body), 'utf8')
}

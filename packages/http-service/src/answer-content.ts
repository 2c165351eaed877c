// Turns an answer into its one text, so that a stored answer and a fresh one are the same bytes.
import type { ApiAnswer } from './route.ts'

/** What is sent, null for nothing. A text stays one: Node sends it in one piece with the headers, and bytes as a piece of their own. */
export function answerContent(answer: Pick<ApiAnswer, 'status' | 'body' | 'bytes'>): string | Uint8Array | null {
  if (answer.status === 204 || answer.status === 304) return null
  if (answer.bytes) return answer.bytes
  return answer.body === undefined ? null : JSON.stringify(answer.body)
}

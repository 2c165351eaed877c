// Decides what a postback may say and how an integration renames it (domain.md 4.3).
import type { PostbackParameter } from '@wds/contracts/postback-parameters'

/** What a conversion is of. */
export const postbackEvents = [
  'click',
  'signup',
  'ftd',
  'qualified_ftd',
  'deposit',
  'chargeback',
  'commission',
] as const
export type PostbackEvent = (typeof postbackEvents)[number]

/** Settings of an integration of provider `postback`. */
export interface PostbackSettings {
  /** Under which name a parameter comes; those that are left out come under their own. */
  parameter_map?: Partial<Record<PostbackParameter, string>>
  /** The network's words for events. */
  event_map?: Record<string, PostbackEvent>
  /** Who may send: addresses and ranges; left out or empty: everybody. */
  allowed_cidrs?: string[]
}

/** The name under which a parameter comes. */
export function nameOf(parameter: PostbackParameter, { parameter_map: map }: PostbackSettings): string {
  return map?.[parameter] ?? parameter
}

/** The event that a word means, or null. */
export function eventOf(word: string, { event_map: map }: PostbackSettings): PostbackEvent | null {
  const meant = map !== undefined && Object.hasOwn(map, word) ? map[word] : word
  return postbackEvents.find((event) => event === meant) ?? null
}

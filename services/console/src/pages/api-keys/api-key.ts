// What the API key pages share.
import type { Schemas } from '../../api.ts'
import { useList } from '../../queries.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'

export type ApiKey = Schemas['ApiKey']

/** Says who made a key; null is the operator. */
export function useCreatorNames(): (creator: string | null) => string {
  const { rows } = useList('/v1/members', { query: { limit: 100 } })
  const names = new Map(rows?.map(({ user }) => [user.id, user.name]))
  return (creator) =>
    creator === null ? words.operator : (names.get(creator) ?? (rows === undefined ? '…' : words.somebody))
}

// Walks a list by its cursor.
import type { ApiClient } from './client.ts'
import type { Answer, DataOf, OptionsOf, PathOf } from './operations.ts'

/** The paths whose GET answers a page of a list. */
export type ListPath = {
  [P in PathOf<'get'>]: DataOf<P, 'get'> extends { data: unknown[]; next_cursor: string | null } ? P : never
}[PathOf<'get'>]

/** The pages of a list one after the other, each asked for when it is wanted; ends behind the last one. Throws as a call does. */
export async function* pagesOf<P extends ListPath>(
  client: ApiClient,
  path: P,
  options?: Omit<OptionsOf<P, 'get'>, 'previous'>,
): AsyncGenerator<Answer<DataOf<P, 'get'>>> {
  const get = client.get as unknown as (path: P, options: object) => Promise<Answer<DataOf<P, 'get'>>>
  for (let cursor: string | null = null; ; ) {
    const given = options as { query?: object } | undefined
    const query = cursor === null ? given?.query : { ...given?.query, cursor }
    const page = await get(path, { ...given, query })
    yield page
    const { has_more, next_cursor } = page.data as { has_more: boolean; next_cursor: string | null }
    if (!has_more || next_cursor === null) return
    cursor = next_cursor
  }
}

/** The items of a list one after the other. */
export async function* itemsOf<P extends ListPath>(
  client: ApiClient,
  path: P,
  options?: Omit<OptionsOf<P, 'get'>, 'previous'>,
): AsyncGenerator<DataOf<P, 'get'> extends { data: (infer Item)[] } ? Item : never> {
  for await (const { data } of pagesOf(client, path, options)) yield* (data as { data: never[] }).data
}

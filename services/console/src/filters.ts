// The filters of a page, which live in its address: read and checked, changed by navigation, so that back and forward restore them (ui.md 4).
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type FilterRules, type ReadFilters, readFilters } from './view-models/filters.ts'

export interface Filters<R extends FilterRules> extends ReadFilters<R> {
  /** Undefined or '' takes a filter away; the others stay. `isTyped`: key by key, which adds no step to go back by. */
  set(change: { readonly [N in keyof R]?: string | undefined }, how?: { isTyped: boolean }): void
  clear(): void
}

export function useFilters<const R extends FilterRules>(rules: R): Filters<R> {
  const search = useRouterState({ select: (state) => state.location.search as Record<string, unknown> })
  const navigate = useNavigate()
  const read = readFilters(rules, search)
  const go = (next: Record<string, unknown>, replace = false) =>
    void navigate({ to: '.', search: next as never, resetScroll: false, replace })
  const strangers = Object.fromEntries(Object.entries(search).filter(([name]) => !Object.hasOwn(rules, name)))
  return {
    ...read,
    set: (change, how) => go({ ...strangers, ...read.values, ...change }, how?.isTyped === true),
    clear: () => go(strangers),
  }
}

/** Each filter that is applied, as a chip that takes it away; `words`: of a value, by the name of its filter. */
export function chipsOf<const R extends FilterRules>(
  { values, set }: Filters<R>,
  words: { readonly [N in keyof R]: (value: string) => string },
): { label: string; onRemove: () => void }[] {
  return (Object.entries(values) as [keyof R, string][]).map(([name, value]) => ({
    label: words[name](value),
    onRemove: () => set({ [name]: undefined } as { readonly [N in keyof R]?: undefined }),
  }))
}

// The parameters of the pages' addresses. The router is made of a table, so it knows no types of them; page-routes.test.ts compares both.
import { useParams } from '@tanstack/react-router'

/** Those that an address must have; `workspace` is that of every page. */
export const paramNames = ['workspace', 'id', 'key', 'app', 'type'] as const
/** Those that it may have: what is open beside a list. */
export const optionalParamNames = ['delivery', 'run', 'anomaly'] as const

const useEach = (): Readonly<Record<string, string | undefined>> => useParams({ strict: false })

/** Only on a page whose path has it. */
export function useParam(name: (typeof paramNames)[number]): string {
  return useEach()[name] ?? ''
}

export function useOptionalParam(name: (typeof optionalParamNames)[number]): string | null {
  return useEach()[name] ?? null
}

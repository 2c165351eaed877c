// The links of our pages that start a sign-in upstream.
import type { ProviderLink } from '../pages/form.ts'
import type { Provider } from './providers.ts'

/** `returnTo`: judged already. */
export function upstreamLinks(providers: readonly Provider[], returnTo: string | null): ProviderLink[] {
  const query = returnTo === null ? '' : `?return_to=${encodeURIComponent(returnTo)}`
  return providers.map(({ name, title }) => ({ name: title, href: `${pathOf(name)}${query}` }))
}

export const pathOf = (name: string): string => `/sign-in/upstream/${name}`

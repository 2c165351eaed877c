// What an integration can be made of. All providers are one page of the list.
import type { Schemas } from '../../api.ts'
import { type Reading, useRead } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'

export type Provider = Schemas['Provider']

export function useProviders(): Reading<readonly Provider[]> {
  const reading = useRead('/v1/providers', {})
  return { ...reading, data: reading.data?.data }
}

/** Of a provider that has no words here yet, its own name. */
export function providerWords(provider: string): { name: string; text: string } {
  const { providers } = words
  return Object.hasOwn(providers, provider)
    ? providers[provider as keyof typeof providers]
    : { name: provider, text: '' }
}

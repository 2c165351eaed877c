// Codes and refresh tokens: 190 random bits behind a published start, so that scanners of source code find them (auth.md 2.1).
import { randomBytes } from 'node:crypto'
import { makeCheckedText } from '@wds/access/checked-text'
import type { Provider } from 'oidc-provider'

const starts = { RefreshToken: 'wdr_', AuthorizationCode: 'wdcode_' } as const

/** The engine documents no way to choose these ids: throws when a new one does not have its form (W28). */
export function installTokenIds(provider: Provider): void {
  for (const [kind, start] of Object.entries(starts) as [keyof typeof starts, string][]) {
    const model = provider[kind] as unknown as {
      prototype: { generateTokenId(): string }
      new (): { generateTokenId(): string }
    }
    model.prototype.generateTokenId = () => makeCheckedText({ start, randomCharacters: 32 }, randomBytes)
    const made = new model().generateTokenId()
    if (!new RegExp(`^${start}[0-9A-Za-z]{38}$`).test(made))
      throw new Error(`the engine does not make ids of ${kind} as it is told to`)
  }
}

// The engine documents no way to choose the ids of codes and refresh tokens, so a new release of it may drop ours without a word.
import { expect, test } from '@jest/globals'
import type { Provider } from 'oidc-provider'
import { installTokenIds } from './token-ids.ts'

/** Of an engine whose models ask their prototype for a new id, or no longer do. */
function engine(o: { asksPrototype: boolean }): Provider {
  const model = () => {
    class Model {
      constructor() {
        if (!o.asksPrototype) Object.assign(this, { generateTokenId: () => 'x'.repeat(43) })
      }
      generateTokenId(): string {
        return 'x'.repeat(43)
      }
    }
    return Model
  }
  return { RefreshToken: model(), AuthorizationCode: model() } as unknown as Provider
}

test('W28: an engine that does not make ids as it is told to stops the start', () => {
  expect(() => installTokenIds(engine({ asksPrototype: true }))).not.toThrow()
  expect(() => installTokenIds(engine({ asksPrototype: false }))).toThrow('does not make ids of RefreshToken')
})

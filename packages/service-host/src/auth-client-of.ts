// How a service asks auth, by its settings.
import { type AuthClient, createAuthClient } from '@wds/access/auth-client'
import { readToken } from './secret-files.ts'
import type { ServiceValues } from './service-settings.ts'

/** Undefined where no address is set. */
export function authClientOf(values: ServiceValues): AuthClient | undefined {
  const { WDS_AUTH_INTERNAL_URL: url, WDS_INTERNAL_TOKEN_FILE: file = '' } = values
  return url === undefined ? undefined : createAuthClient({ url, token: readToken('WDS_INTERNAL_TOKEN_FILE', file) })
}

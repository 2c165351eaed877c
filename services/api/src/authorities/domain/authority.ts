// Says who answers for what the service does by itself later on.
import type { Scope } from '@wds/contracts/scopes'

/** Who saved it last, with the scopes that its actions needed then. */
export interface Authority {
  principal: { type: 'user' | 'client' | 'api_key'; id: string }
  /** Of a client: who it acts for, by which grant; of a user: themselves. */
  user_id: string | null
  grant_id: string | null
  granted_scopes: Scope[]
  saved_ms: number
}

// What the service needs to receive postbacks: the mount, with connections and counts of its own.
import type { Mount } from '@wds/http-service/mount'
import { createQuotaStore } from '@wds/http-service/quota-store'
import { createRequestQuotas } from '@wds/http-service/request-quotas'
import { ownConnection, type Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { postbackMount } from './receive-postback.ts'

/** Requests of one integration in a second (domain.md 4.3). */
const perSecond = 100

/** `pool`: of the HTTP role. Counted exactly over all processes, in windows of a second. */
export function postbackMounts(o: { pool: Pool; logger: Logger; perSecond?: number }): Mount[] {
  const { pool, logger } = o
  const windowMs = 1_000
  const store = createQuotaStore({ pool, windowMs })
  const quotas = createRequestQuotas({ requests: o.perSecond ?? perSecond, windowMs, store, logger })
  return [postbackMount({ lookups: ownConnection(pool, 'postbacks'), quotas })]
}

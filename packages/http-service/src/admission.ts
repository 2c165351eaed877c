// Lets a request in or refuses it with 429: by its caller's quota (C60 to C62), and by how many requests of its workspace are worked on.
import type { ServerResponse } from 'node:http'
import { Counts } from './counts.ts'
import { Problem } from './problem.ts'
import type { QuotaSettings, QuotaState, RequestQuotas } from './request-quotas.ts'

export interface Admission {
  /** Counts one request of the caller and tells in the headers how it stands. Throws Problem `quota_exceeded`. Null: there are no quotas. */
  count(caller: string, response: ServerResponse): Promise<QuotaState | null>
  /** One more request of the workspace until the function given back is called. Throws Problem `quota_exceeded`. */
  enter(workspaceId: string): () => void
}

export interface AdmissionOptions extends QuotaSettings {
  /** Requests of a workspace that this process works on at a time. */
  concurrent: number
}

/** `quotas`: null where none are kept. */
export function createAdmission(o: AdmissionOptions, quotas: RequestQuotas | null): Admission {
  const policies = `"default";q=${o.requests};w=${Math.ceil(o.windowMs / 1_000)}, "concurrency";q=${o.concurrent};qu="concurrent-requests"`
  const inside = new Counts()
  return {
    count: async (caller, response) => {
      if (quotas === null) return null
      const standing = await quotas.take(caller)
      response.setHeader('RateLimit-Policy', policies)
      showQuota(response, standing)
      if (standing.allowed) return standing
      throw exceeded(
        'default',
        `At most ${o.requests} requests in ${o.windowMs / 1_000} seconds.`,
        standing.restSeconds,
      )
    },
    enter: (workspaceId) => {
      if (inside.of(workspaceId) >= o.concurrent)
        throw exceeded('concurrency', `At most ${o.concurrent} requests at a time.`, 1)
      return inside.add(workspaceId)
    },
  }
}

/** Structured fields (RFC 9651). */
export function showQuota(response: ServerResponse, { left, restSeconds }: QuotaState): void {
  response.setHeader('RateLimit', `"default";r=${left};t=${restSeconds}`)
}

/** Problem `quota_exceeded` of one policy; `retryAfter`: seconds. */
export function exceeded(policy: string, detail: string, retryAfter: number): Problem {
  return new Problem('quota_exceeded', {
    detail,
    headers: { 'retry-after': String(retryAfter) },
    members: { 'violated-policies': [policy] },
  })
}

// Reads an answer's headers and body.
import type { Answer, RateLimit } from './operations.ts'
import { ApiProblem, readProblem } from './problem.ts'

/** Throws ApiProblem for status 400 and more, and for JSON that cannot be read; whatever reading the body throws. */
export async function readAnswer<T>(
  response: Response,
  o: { idempotencyKey: string | null; previous: Answer<T> | undefined },
): Promise<Answer<T>> {
  const { headers, status } = response
  const contentType = headers.get('content-type') ?? ''
  const bytes = await response.blob()
  const requestId = headers.get('x-request-id')
  const notModified = status === 304 && o.previous !== undefined
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(contentType)
  const isRead = isJson || !response.ok
  const text = isRead ? await bytes.text() : ''
  const data = isRead ? parseJson(text) : { value: contentType === '' ? undefined : bytes }
  if (!notModified && (!response.ok || data === null)) {
    const retryAfterSeconds = secondsOf(headers.get('retry-after'))
    const problem = readProblem(status, contentType, text)
    throw new ApiProblem(problem, { status, requestId, retryAfterSeconds, idempotencyKey: o.idempotencyKey })
  }
  return {
    data: notModified && o.previous ? o.previous.data : (data?.value as T),
    status,
    etag: headers.get('etag'),
    location: headers.get('location'),
    requestId,
    rateLimit: rateLimitOf(headers),
    isReplayed: headers.get('idempotency-replayed') === 'true',
    notModified,
  }
}

/** Null where the text is not JSON; undefined as the value of an empty one. */
function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return null
  }
}

function secondsOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}

/** `RateLimit: "default";r=588;t=42` and `RateLimit-Policy: "default";q=600;w=60` (RFC 9651); null without them. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const [, policy, parameters = ''] = /^"([^"]*)"([^,]*)/.exec(headers.get('ratelimit') ?? '') ?? []
  const [remaining, resetSeconds] = [integerOf(parameters, 'r'), integerOf(parameters, 't')]
  if (remaining === null || resetSeconds === null) return null
  const own = (headers.get('ratelimit-policy') ?? '').split(',').find((text) => text.trim().startsWith(`"${policy}"`))
  return { remaining, resetSeconds, quota: integerOf(own ?? '', 'q') }
}

function integerOf(parameters: string, name: string): number | null {
  const text = new RegExp(`;\\s*${name}=(\\d+)`).exec(parameters)?.[1]
  return text === undefined ? null : Number(text)
}

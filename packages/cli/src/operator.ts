/** Calls the internal listener of auth. Its errors are sentences for the operator. */

/** One sentence that tells the operator what went wrong. */
export class OperatorError extends Error {}

export interface OperatorAccess {
  /** `http://127.0.0.1:8091`, without a trailing slash. */
  url: string
  token: string
  /** Public address, without a trailing slash. */
  baseUrl: string
}

/** @throws OperatorError when the service is away or refuses. */
export async function callOperator(
  access: OperatorAccess,
  path: string,
  body: object | FormData,
): Promise<Record<string, unknown>> {
  const isForm = body instanceof FormData
  const headers: Record<string, string> = { authorization: `Bearer ${access.token}` }
  if (!isForm) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await fetch(`${access.url}${path}`, {
      method: 'POST',
      headers,
      body: isForm ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    })
  } catch (error) {
    throw new OperatorError(`the service does not answer at ${access.url}: is it running?`, { cause: error })
  }
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (!response.ok) throw new OperatorError(`refused (${response.status}): ${reasonOf(answer)}`)
  return answer
}

/** The detail of a problem, and of each of its faults when there are several. */
function reasonOf({ detail = 'no reason given', errors = [] }: Record<string, unknown>): string {
  const faults = (errors as { pointer?: string; detail: string }[]).map(
    ({ pointer = '', detail: fault }) => `${pointer} ${fault}`,
  )
  return [String(detail), ...faults.filter((fault) => fault.trim() !== detail)].join('\n  ')
}

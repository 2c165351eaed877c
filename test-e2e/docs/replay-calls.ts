/** Sends the calls that a client of a release sent, in their order, and compares what they are answered with what they were answered then. */

export interface Call {
  /** Such as `GET /v1/webhooks/WEBHOOK`: names in capitals stand for what an earlier answer saved. */
  call: string
  body?: object
  /** A file of CSV. */
  text?: string
  /** Where the answer has what later calls speak of. */
  save?: Record<string, string>
  /** Members that the answer has at last; the call is sent again until then. */
  until?: Record<string, string>
}

export interface Answered {
  status: number
  /** JSON; null where there is none. */
  body: unknown
}

export interface Recorded extends Call {
  answer: Answered
}

/**
 * `values`: BASE, KEY and what else the calls name. `onAnswer` may throw, and no further call is sent. Gives the answers, in the order of
 * the calls.
 */
export async function sendCalls<C extends Call>(
  calls: readonly C[],
  values: Record<string, string>,
  onAnswer: (call: C, answer: Answered) => void = () => undefined,
): Promise<Answered[]> {
  const known = { ...values }
  const answers: Answered[] = []
  for (const call of calls) {
    const answer = await sendUntil(call, known)
    onAnswer(call, answer)
    for (const [name, path] of Object.entries(call.save ?? {})) known[name] = String(memberOf(answer.body, path))
    answers.push(answer)
  }
  return answers
}

async function sendUntil(call: Call, known: Record<string, string>): Promise<Answered> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const answer = await send(call, known)
    const wanted = Object.entries(call.until ?? {})
    if (wanted.every(([name, value]) => memberOf(answer.body, name) === value)) return answer
    if (performance.now() > deadline)
      throw new Error(`${call.call}: not ${JSON.stringify(call.until)} within two minutes`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function send({ call, body, text }: Call, known: Record<string, string>): Promise<Answered> {
  const filled = (one: string) => one.replaceAll(/\b[A-Z]{4,}\b/g, (name) => known[name] ?? name)
  const [method = '', path = ''] = call.split(' ')
  const json = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers: Record<string, string> = { authorization: `Bearer ${known.KEY}` }
  if (text !== undefined) headers['content-type'] = 'text/csv'
  else if (body !== undefined) headers['content-type'] = json
  const init: RequestInit = { method, headers }
  const sent = text ?? (body === undefined ? undefined : filled(JSON.stringify(body)))
  if (sent !== undefined) init.body = sent
  const response = await fetch(`${known.BASE}${filled(path)}`, init)
  const answered = await response.text()
  return { status: response.status, body: answered === '' ? null : JSON.parse(answered) }
}

function memberOf(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], body)
}

/** What an old client would miss in the answer of now: members that are gone or of another kind, other statuses, codes, kinds of object. */
export function missedIn(then: Answered, now: Answered): string[] {
  if (then.status !== now.status) return [`status ${now.status} instead of ${then.status}`]
  return missedAt('', then.body, now.body)
}

/** Words that a client compares with; a list is judged by its first entry. */
const compared = new Set(['object', 'code', 'type', 'status'])

function missedAt(path: string, then: unknown, now: unknown): string[] {
  if (then === null) return []
  if (kindOf(then) !== kindOf(now)) return [`${path} is ${kindOf(now)} instead of ${kindOf(then)}`]
  if (Array.isArray(then)) return then.length === 0 ? [] : missedAt(`${path}/0`, then[0], (now as unknown[])[0])
  if (typeof then !== 'object') {
    const name = path.split('/').at(-1) ?? ''
    const isOther = compared.has(name) && !String(then).startsWith('http') && then !== now
    return isOther ? [`${path} is ${String(now)} instead of ${String(then)}`] : []
  }
  return Object.entries(then as object).flatMap(([name, value]) =>
    missedAt(`${path}/${name}`, value, (now as Record<string, unknown>)[name]),
  )
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'gone'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Callers of `PATCH /v1/integrations/{id}`, each call of which makes one event. */
import { type Dispatcher, Pool } from 'undici'
import type { Rig, Tenant } from './rig.ts'

const integrationsEach = 10

export interface Target {
  path: string
  authorization: string
}

export interface Caller {
  /** One call; resolves when it was answered with 200. */
  patch(nth: number, traceId: string): Promise<void>
  close(): Promise<void>
}

/** Ten integrations of each tenant. */
export async function makeTargets(rig: Rig, tenants: readonly Tenant[]): Promise<Target[]> {
  const targets: Target[] = []
  for (const { apiKey } of tenants) {
    const authorization = `Bearer ${apiKey}`
    for (let nth = 0; nth < integrationsEach; nth += 1) {
      const response = await fetch(`${rig.services.api.url}/v1/integrations`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `bench ${nth}`, provider: 'csv_upload', brand_slug: 'bench', currency: 'EUR' }),
      })
      const body = (await response.json()) as { id: string }
      if (response.status !== 201) throw new Error(`an integration was refused: ${JSON.stringify(body)}`)
      targets.push({ path: `/v1/integrations/${body.id}`, authorization })
    }
  }
  return targets
}

export function createCaller(rig: Rig, targets: Target[], connections: number): Caller {
  const pool = new Pool(rig.services.api.url, { connections })
  return {
    patch: (nth, traceId) =>
      new Promise((resolve, reject) => {
        const { path, authorization } = targets[nth % targets.length] as Target
        const headers = {
          authorization,
          'content-type': 'application/json',
          traceparent: `00-${traceId}-00f067aa0ba902b7-00`,
        }
        // A name of its own: a patch that changes nothing makes no event.
        const body = JSON.stringify({ name: `bench ${traceId}` })
        const fail = (reason: Error) => reject(new Error(`PATCH ${path}: ${reason.message}`, { cause: reason }))
        pool.dispatch({ path, method: 'PATCH', headers, body }, new PlainAnswer(resolve, fail))
      }),
    close: () => pool.close(),
  }
}

/** Waits for an answer of 200. No stream is made for its body: the load shall leave the processors to what it loads. */
class PlainAnswer implements Dispatcher.DispatchHandler {
  readonly #resolve: () => void
  readonly #reject: (reason: Error) => void
  #status = 0
  #refusal = ''

  constructor(resolve: () => void, reject: (reason: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  /** undici refuses a handler without it. */
  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    if (this.#status !== 200) this.#refusal += part
  }

  onResponseEnd(): void {
    if (this.#status === 200) this.#resolve()
    else this.#reject(new Error(`answered ${this.#status}: ${this.#refusal}`))
  }

  onResponseError(_controller: Dispatcher.DispatchController, reason: Error): void {
    this.#reject(reason)
  }
}

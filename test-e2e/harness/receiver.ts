/** Handle of a receiver in a process of its own, for load: `receiver-main.ts`. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { TestCertificate } from '@wds/local-infra/certificates'

export type ReceiverCommand =
  | { op: 'count' }
  | { op: 'arrivals'; from: number }
  | { op: 'requests' }
  | { op: 'clear' }
  | { op: 'hang'; hosts: string[] }

export interface ReceiverAnswer {
  port: number
  count: number
  /** Host that was called, id of the event, id of its trace, wall clock in milliseconds. */
  arrivals: [host: string, eventId: string, traceId: string, at: number][]
  /** Where they are kept: id of the event, X-Service-Signature, body, wall clock in milliseconds at its end, host that was called. */
  requests: [eventId: string, signature: string, body: string, at: number, host: string][]
}

export interface ReceiverProcess {
  pid: number
  /** `http://127.0.0.n:port`, or `https:`; n from 1 to the number of hosts. */
  origins: string[]
  count(): Promise<number>
  /** All of them, or those that came when so many had. */
  arrivals(from?: number): Promise<ReceiverAnswer['arrivals']>
  /** What it was asked, where it keeps that. */
  requests(): Promise<ReceiverAnswer['requests']>
  clear(): Promise<void>
  /** These origins take requests and never answer; none: what was held is cut off. */
  hang(origins: string[]): Promise<void>
  stop(): void
}

export interface ReceiverOptions {
  /** Its certificate, for the addresses of all hosts. */
  tls?: TestCertificate
  /** True: it keeps the requests themselves, for a checker. */
  keepsRequests?: boolean
}

export async function startReceiver(hosts: number, o: ReceiverOptions = {}): Promise<ReceiverProcess> {
  const child = fork(join(import.meta.dirname, 'receiver-main.ts'), ['25000', '25900', String(hosts)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    env: {
      ...process.env,
      RECEIVER_TLS: o.tls === undefined ? '' : JSON.stringify(o.tls),
      RECEIVER_KEEPS: o.keepsRequests ? 'yes' : '',
    },
  })
  const next = () =>
    new Promise<ReceiverAnswer>((resolve, reject) => {
      const ended = () => reject(new Error('the receiver ended'))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message as ReceiverAnswer)
      })
    })
  const { port } = await next()
  // One question at a time: an answer carries no number.
  let last: Promise<unknown> = Promise.resolve()
  const ask = (command: ReceiverCommand): Promise<ReceiverAnswer> => {
    const answered = last.then(() => {
      const promise = next()
      child.send(command)
      return promise
    })
    last = answered
    return answered
  }
  return {
    pid: child.pid as number,
    origins: Array.from(
      { length: hosts },
      (_, nth) => `${o.tls === undefined ? 'http' : 'https'}://127.0.0.${nth + 1}:${port}`,
    ),
    count: async () => (await ask({ op: 'count' })).count,
    arrivals: async (from = 0) => (await ask({ op: 'arrivals', from })).arrivals,
    requests: async () => (await ask({ op: 'requests' })).requests,
    clear: async () => void (await ask({ op: 'clear' })),
    hang: async (origins) => void (await ask({ op: 'hang', hosts: origins.map((origin) => new URL(origin).hostname) })),
    stop: () => child.disconnect(),
  }
}

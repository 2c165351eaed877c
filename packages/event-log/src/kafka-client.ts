// What every connection to Kafka has in common: time limits, log lines, and how a refusal by the broker is recognised among faults
// that pass (stack.md 5). It is the only place that knows how loud kafkajs is.

import type { Socket } from 'node:net'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { lookWhereRequestsWait } from '@wds/kafkajs-requests/request-checks'
import { waitAtMost } from '@wds/pacing/wait'
import { Kafka, type KafkaConfig, type LogEntry, logLevel } from 'kafkajs'
import { kafkaSocket, speaksTls } from './kafka-socket.ts'
import { mendKafkajs } from './kafkajs-mends.ts'
import { type LogLogger, LogRefused } from './port.ts'

export interface KafkaConnection {
  /** `host:port` each. */
  brokers: string[]
  /** Shown by the broker: the name of the service. */
  clientId: string
  ssl?: KafkaConfig['ssl']
  sasl?: KafkaConfig['sasl']
  /** How sockets are made; for tests that cut or stop them. */
  socketFactory?: KafkaConfig['socketFactory']
  /** Longest wait for one answer, ms: above it a connection counts as dead, also one that is idle on the other side. Default 5,000. */
  requestTimeoutMs?: number
  logger?: LogLogger | undefined
}

const requestTimeoutMs = 5_000
const connectTimeoutMs = 3_000
const endMs = 3_000

/** A client of kafkajs with sockets of its own. */
export interface OpenClient<C> {
  client: C
  /** Ends it in order within the limit, ms, and cuts it off above it: kafkajs keeps on using connections that died. */
  end(withinMs?: number): Promise<void>
  /** What the broker refused this client, where kafkajs throws 'not found' instead. */
  refused(): LogRefused | null
}

/** `onCut` hears of every connection that is closed before the client is ended. */
export function openClient<C extends { disconnect(): Promise<void> }>(
  c: KafkaConnection,
  make: (kafka: Kafka) => C,
  onCut: () => void = () => undefined,
): OpenClient<C> {
  mendKafkajs()
  const sockets = new Set<Socket>()
  let ended = false
  let refused: LogRefused | null = null
  lookWhereRequestsWait()
  const kafka = new Kafka(
    withoutUndefined({
      clientId: c.clientId,
      brokers: c.brokers,
      connectionTimeout: connectTimeoutMs,
      requestTimeout: c.requestTimeoutMs ?? requestTimeoutMs,
      enforceRequestTimeout: true,
      logLevel: logLevel.INFO,
      logCreator: () => (entry) => {
        if (groupRefused.test(String(entry.log.error))) {
          refused = new LogRefused('Kafka refuses the consumer group: this client lacks the right to it.')
        }
        logOfKafkajs(c.logger, entry)
      },
      ssl: c.ssl,
      sasl: c.sasl,
      socketFactory(args) {
        const socket = kafkaSocket(args, c.socketFactory)
        sockets.add(socket)
        socket.once('close', () => {
          sockets.delete(socket)
          if (!ended) onCut()
        })
        // What is left of a client that was cut off must not come back to life.
        socket.on('error', () => undefined)
        if (ended) cutOff(socket)
        return socket
      },
    }),
  )
  const client = make(kafka)
  return {
    client,
    refused: () => refused,
    async end(withinMs = endMs) {
      await waitAtMost(
        client.disconnect().catch(() => undefined),
        withinMs,
      )
      ended = true
      for (const socket of sockets) cutOff(socket)
    },
  }
}

/** Rejects when there is no answer for `ms`: kafkajs may lose a request when its connection ends, and tells nobody. */
export async function answerOf<T>(asked: Promise<T>, ms: number): Promise<T> {
  let answer: { is: T } | undefined
  const heard = asked.then((is) => {
    answer = { is }
  })
  await waitAtMost(heard, ms)
  if (answer === undefined) throw new Error(`Kafka was asked and did not answer for ${ms} ms`)
  return answer.is
}

/** With an error, since kafkajs does not hear of a socket that is only closed and would keep its timers. */
function cutOff(socket: Socket): void {
  socket.destroy(new Error('the Kafka client was ended'))
}

/**
 * kafkajs calls much an error that it mends by itself the next moment: a coordinator that loads, a rebalance, a connection
 * that is built again. The adapter tells each change of state once, so these lines are for whoever looks closely.
 */
function logOfKafkajs(logger: LogLogger | undefined, { namespace, log }: LogEntry): void {
  const { message, error, groupId, broker } = log as Record<string, unknown> & { message: string }
  logger?.debug?.({ kafkajs: namespace, ...withoutUndefined({ error: messageOf(error), groupId, broker }) }, message)
}

/** kafkajs tells this in a line of its log only. */
const groupRefused = /^Not authorized to access group/

const refusals: Record<string, string> = {
  TOPIC_AUTHORIZATION_FAILED: 'lacks the right to the topic',
  GROUP_AUTHORIZATION_FAILED: 'lacks the right to the consumer group',
  CLUSTER_AUTHORIZATION_FAILED: 'lacks a right to the cluster',
  SASL_AUTHENTICATION_FAILED: 'is not let in: user name or password is wrong',
  UNSUPPORTED_SASL_MECHANISM: 'is not let in: the broker does not know this way to sign in',
  KafkaJSSASLAuthenticationError: 'is not let in: user name or password is wrong',
  POLICY_VIOLATION: 'breaks a policy of the broker',
  [speaksTls]: 'does not speak TLS, which the broker asks for (KAFKA_TLS)',
}

/** The refusal behind an error, or null when the fault may pass by itself. */
export function refusalOf(error: unknown, what: string): LogRefused | null {
  if (error instanceof LogRefused) return error
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 10; depth += 1) {
    const inner = at as Error & {
      type?: string
      code?: string
      errors?: unknown[]
      cause?: unknown
      originalError?: unknown
    }
    const complaint = refusals[inner.type ?? ''] ?? refusals[inner.code ?? ''] ?? refusals[inner.name]
    if (complaint !== undefined)
      return new LogRefused(`Kafka refuses ${what}: this client ${complaint}.`, { cause: error })
    at = inner.errors?.[0] ?? inner.cause ?? inner.originalError
  }
  return null
}

/** The broker's word for an error, as in its protocol: `UNKNOWN_TOPIC_OR_PARTITION`. */
export function typeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 10; depth += 1) {
    const inner = at as Error & { type?: string; cause?: unknown }
    if (inner.type !== undefined) return inner.type
    at = inner.cause
  }
  return undefined
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : undefined
}

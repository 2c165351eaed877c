// The operator's command `dead-letters` of a service that consumes: which records its consumers put aside, their effects once more, and
// which of them are given up.

import { parseArgs } from 'node:util'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import { type DeadLetter, dismissDeadLetters, listDeadLetters, replayDeadLetters } from '@wds/event-log/dead-letters'
import type { Pool } from '@wds/postgres/pool'
import { redactText } from '@wds/telemetry/redaction'
import { unknownConsumer } from './consumers.ts'
import { oneLine } from './process.ts'

/** How the command is called. */
export const deadLettersUsage = [
  'usage: dead-letters list [--consumer <name>] [--limit <1 to 1000>] [--json]',
  '       dead-letters replay [--consumer <name>] [--id <number>] [--limit <1 to 1000>]',
  '       dead-letters dismiss (--consumer <name> | --id <number>) [--limit <1 to 1000>]',
]

export interface DeadLettersOptions {
  pool: Pool
  service: string
  /** Of the service. */
  consumers: readonly ConsumerDeclaration[]
  print(line: string): void
}

/** Resolves with the exit code: 0, 1 when a record failed again, 2 for a consumer that there is not. */
export function runDeadLetters(o: DeadLettersOptions, asked: DeadLettersAsked): Promise<number> {
  return { list, replay, dismiss }[asked.word](o, asked)
}

const words = ['list', 'replay', 'dismiss'] as const

export interface DeadLettersAsked {
  word: (typeof words)[number]
  consumer: string | null
  id: string | null
  limit: number
  json: boolean
}

/** What is asked for, or what is wrong with it. */
export function readDeadLettersArguments(
  args: string[],
  consumers: DeadLettersOptions['consumers'],
): DeadLettersAsked | string {
  const text = { type: 'string' } as const
  const options = { consumer: text, id: text, limit: text, json: { type: 'boolean' } } as const
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const [given, ...more] = positionals
    const word = words.find((one) => one === given)
    const { consumer = null, id = null, limit = '100', json = false } = values
    if (word === undefined || more.length > 0) return 'list, replay or dismiss?'
    if (word === 'list' ? id !== null : json) return `${word} has no such option`
    if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > 1_000) return 'the limit is a number from 1 to 1000'
    if (id !== null && !/^[1-9]\d{0,17}$/.test(id)) return 'the id is the number that the list begins with'
    // All of them at once would be a slip more often than a wish.
    if (word === 'dismiss' && id === null && consumer === null) return 'dismiss names a consumer or an id'
    if (word === 'replay' && isNobody({ consumers }, consumer)) return unknownConsumer(consumers)
    return { word, consumer, id, limit: Number(limit), json }
  } catch (error) {
    return (error as Error).message
  }
}

async function list(o: DeadLettersOptions, { consumer, limit, json }: DeadLettersAsked): Promise<number> {
  const { letters, total } = await listDeadLetters(o.pool, { consumer, limit })
  if (total === 0 && isNobody(o, consumer)) return refuseNobody(o)
  for (const letter of letters) o.print(json ? JSON.stringify(toJson(letter)) : toLine(letter))
  if (json) return 0
  const more = total > letters.length ? `, of which the oldest ${letters.length} are listed` : ''
  o.print(`${o.service}: ${counted(total)}${more}`)
  return 0
}

async function replay(o: DeadLettersOptions, { consumer, id, limit }: DeadLettersAsked): Promise<number> {
  const done = { replayed: 0, failed: 0 }
  const onFailure = (failedId: string, error: unknown) =>
    o.print(`${failedId} failed again: ${printable(oneLine(error))}`)
  for (const { name, handleBatch } of o.consumers) {
    const left = limit - done.replayed - done.failed
    if ((consumer !== null && consumer !== name) || left === 0) continue
    const { replayed, failed } = await replayDeadLetters(
      o.pool,
      withoutUndefined({
        consumer: name,
        limit: left,
        handleBatch,
        onFailure,
        id: id ?? undefined,
      }),
    )
    done.replayed += replayed
    done.failed += failed
  }
  if (id !== null && done.replayed + done.failed === 0) {
    o.print(`${o.service} has no dead letter ${id} that could be replayed`)
    return 1
  }
  const { total } = await listDeadLetters(o.pool, { consumer, limit: 0 })
  o.print(`${o.service}: ${done.replayed} replayed, ${done.failed} failed again, ${counted(total)} left`)
  return done.failed > 0 ? 1 : 0
}

async function dismiss(o: DeadLettersOptions, { consumer, id, limit }: DeadLettersAsked): Promise<number> {
  const dismissed = await dismissDeadLetters(o.pool, { consumer, id, limit })
  if (id !== null && dismissed === 0) {
    o.print(`${o.service} keeps no dead letter ${id} that could be dismissed`)
    return 1
  }
  if (dismissed === 0 && isNobody(o, consumer)) return refuseNobody(o)
  const { total } = await listDeadLetters(o.pool, { consumer, limit: 0 })
  o.print(`${o.service}: ${dismissed} dismissed, ${counted(total)} left`)
  return 0
}

/** A name that nothing has: a slip must not look as if all were well. One that is declared no more may have left some. */
function isNobody({ consumers }: Pick<DeadLettersOptions, 'consumers'>, consumer: string | null): boolean {
  return consumer !== null && !consumers.some(({ name }) => name === consumer)
}

function refuseNobody(o: DeadLettersOptions): number {
  o.print(unknownConsumer(o.consumers))
  return 2
}

function toJson(letter: DeadLetter): object {
  const { consumer, topic, partition, key, headers, tries } = letter
  return {
    id: letter.id,
    died_at: letter.diedAt.toISOString(),
    consumer,
    topic,
    partition,
    offset: letter.offset,
    key,
    event_id: letter.eventId,
    workspace_id: letter.workspaceId,
    headers,
    tries,
    reason: redactText(letter.reason),
  }
}

function toLine(letter: DeadLetter): string {
  const place = `${letter.topic}/${letter.partition}@${letter.offset}`
  const parts = [letter.id, letter.diedAt.toISOString(), letter.consumer, place, letter.eventId, letter.workspaceId]
  const tries = `${letter.tries} ${letter.tries === 1 ? 'try' : 'tries'}`
  return [...parts, tries, letter.reason].map((part) => printable(part === '' ? '-' : part)).join('  ')
}

/** What others wrote changes nothing of the terminal. */
function printable(text: string): string {
  return redactText(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
}

function counted(letters: number): string {
  return letters === 1 ? '1 dead letter' : `${letters} dead letters`
}

// The operator's commands `check-rows` and `rebuild-rows` of a service whose reads are rows made of streams: which of them are not what
// their streams say, and how they are written anew.

import { parseArgs } from 'node:util'
import type { AnyAggregate } from '@wds/aggregate/aggregate'
import { checkRows, type RowCount, type RowDifference, type RowPlace } from '@wds/aggregate/row-check'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Pool } from '@wds/postgres/pool'
import { redactText } from '@wds/telemetry/redaction'

export interface RowCommandOptions {
  pool: Pool
  service: string
  aggregates: readonly AnyAggregate[]
  rebuild: boolean
  /** The result. */
  print(line: string): void
  /** How far it is. */
  say(line: string): void
}

export interface RowsAsked {
  from: RowPlace | null
  workspaceId: string | null
}

/** How the commands are called. */
export const rowsUsage = (word: string) => [
  `usage: ${word} [--workspace <id>] [--from <place as it was printed, or a workspace>]`,
]

/** What is asked for, or what is wrong with it. */
export function readRowsArguments(args: string[], aggregates: readonly AnyAggregate[]): RowsAsked | string {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args, options: { workspace: text, from: text } })
    const { workspace = null, from } = values
    if (workspace !== null && !isWorkspaceId(workspace)) return 'the workspace is an id, wsp_…'
    if (from === undefined) return { from: null, workspaceId: workspace }
    const place = readPlace(from)
    const types = aggregates.map(({ streamType }) => streamType)
    if (place === null) return 'the place is a workspace, or <workspace>/<type>, or <workspace>/<type>/<id>'
    if (place.streamType !== null && !types.includes(place.streamType))
      return `there are no rows of this type, only ${types.join(', ')}`
    return { from: place, workspaceId: workspace }
  } catch (error) {
    return (error as Error).message
  }
}

const isWorkspaceId = (text: string): boolean => /^wsp_[0-9A-Z]{1,40}$/.test(text)

function readPlace(text: string): RowPlace | null {
  const [workspaceId = '', streamType = null, streamId = null, ...more] = text.split('/')
  return isWorkspaceId(workspaceId) && more.length === 0 ? { workspaceId, streamType, streamId } : null
}

const toText = ({ workspaceId, streamType, streamId }: RowPlace): string =>
  [workspaceId, streamType, streamId].filter((part) => part !== null).join('/')

/** How often it says how far it is, ms. */
const sayEveryMs = 5_000

/**
 * Prints each difference as a line of JSON. Resolves with the exit code: 0, or 1 when a row is left that is not the fold of its stream.
 * One that ends by a fault says from where to go on.
 */
export async function runRowsCommand(o: RowCommandOptions, { from, workspaceId }: RowsAsked): Promise<number> {
  const { pool, aggregates, rebuild, service } = o
  let place = from
  const startedMs = performance.now()
  let saidMs = startedMs
  const progress = (count: RowCount, reached: RowPlace): void => {
    place = reached
    if (performance.now() - saidMs < sayEveryMs) return
    saidMs = performance.now()
    o.say(`${service}: ${sentenceOf(count, startedMs)}; reached ${toText(reached)}`)
  }
  try {
    const count = await checkRows(
      withoutUndefined({
        pool,
        aggregates,
        rebuild,
        progress,
        report: (difference) => o.print(lineOf(difference)),
        from: from ?? undefined,
        workspaceId: workspaceId ?? undefined,
      }),
    )
    o.print(`${service}: ${sentenceOf(count, startedMs)}${rebuild ? `, ${count.mended} written anew` : ''}`)
    return count.differences > count.mended ? 1 : 0
  } catch (error) {
    if (place !== null) o.say(`${service}: ended early, to go on: --from ${toText(place)}`)
    throw error
  }
}

function sentenceOf({ events, rows, differences }: RowCount, startedMs: number): string {
  const seconds = (performance.now() - startedMs) / 1_000
  const rate = Math.round(events / Math.max(seconds, 0.001))
  return `${events} events of ${rows} rows read in ${seconds.toFixed(1)} s (${rate}/s), ${differences} differences`
}

function lineOf(difference: RowDifference): string {
  const { workspaceId, streamType, id, kind, columns, storedVersion, foldedVersion, unmended } = difference
  return JSON.stringify({
    workspace_id: workspaceId,
    type: streamType,
    id,
    kind,
    columns,
    stored_version: storedVersion,
    folded_version: foldedVersion,
    unmended: unmended === null ? null : redactText(unmended),
  })
}

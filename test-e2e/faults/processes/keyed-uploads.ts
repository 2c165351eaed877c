/** Uploads of stats, each under a key of its own that is used again until an answer comes; and what came of them, for the checker of keys. */
import { type Client, uploadStats } from '../../harness/client.ts'
import { eventually } from '../../harness/standalone.ts'
import type { Effect, KeyedCall } from '../checkers/call-checker.ts'

export interface Integration {
  client: Client
  id: string
}

/** The day of the one row of upload `nth`. */
export const dayOf = (nth: number): string => `2026-10-${String(nth + 1).padStart(2, '0')}`

/** Repeats one upload under one key until it was accepted, and once more: what a careful client does. `told`: gets each call and its answer. */
export async function uploadSurely({ client, id }: Integration, nth: number, told: KeyedCall[]): Promise<void> {
  const csv = `date,clicks,ftds\n${dayOf(nth)},${nth + 1},1\n`
  const key = `upload-${id}-${nth}`
  const keyed: Client = async (path, o) => {
    const headers = { ...o?.headers, 'idempotency-key': key }
    const answer = await client(path, { ...o, headers }).catch(() => null)
    told.push({ client: id, key, status: answer?.status ?? 0, body: JSON.stringify(answer?.body) })
    return answer ?? { status: 503, headers: new Headers(), body: null }
  }
  await eventually(
    'the upload is accepted',
    async () => {
      const { status, body } = await uploadStats(keyed, id, csv)
      // As a client whose answer was lost: the key is used again.
      if (status === 202) return (await uploadStats(keyed, id, csv)).status === 202
      if (![409, 429, 503].includes(status)) throw new Error(`refused: ${status} ${JSON.stringify(body)}`)
      return false
    },
    120_000,
  )
}

/** What the integration has of imports, each with the key whose answer named it. */
export async function importsOf({ client, id }: Integration, told: readonly KeyedCall[]): Promise<Effect[]> {
  const keys = new Map(
    told.filter(({ status }) => status === 202).map(({ body, key }) => [JSON.parse(body).id as string, key]),
  )
  const { body } = await client(`/v1/imports?integration_id=${id}&limit=100`)
  return body.data.map((made: { id: string }) => ({ client: id, key: keys.get(made.id) ?? null }))
}

// GET and POST of /v1/postbacks/{token}: stores one conversion, and says so only once it is stored (domain.md 4.3). It reads nothing of
// the workspace to whoever knows the token, and neither logs nor repeats it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isInRanges, parseRange } from '@wds/access/address-range'
import { load } from '@wds/aggregate/aggregate'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { QuotaState, RequestQuotas } from '@wds/http-service/request-quotas'
import { sendAnswer } from '@wds/http-service/respond'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { readConversion } from '../conversions/domain/conversion.ts'
import { insertConversion } from '../conversions/store-conversions.ts'
import type { IntegrationFields } from '../integrations/domain/integration-fields.ts'
import { digestOfToken, postbackPath } from '../integrations/postback-token.ts'
import { integrations } from '../integrations/resource.ts'
import { findTarget, isValidToken, type PostbackTarget } from '../integrations/store-postback-tokens.ts'
import type { PostbackSettings } from '../sources/domain/postback-settings.ts'
import { parametersOf, readSent, type Sent } from './read-parameters.ts'

/** Tokens whose place a process remembers. A token never leads elsewhere; that it is still valid is looked at each time. */
const placesMax = 10_000

export interface PostbackOptions {
  /** Of the HTTP role, for the tokens that are not known: whoever guesses keeps nobody else from a connection. */
  lookups: Pool
  /** Of each integration. */
  quotas: RequestQuotas
}

/** Where a token leads, and who may send there: as this process saw it last. */
interface Known extends PostbackTarget {
  senders: readonly string[]
}

/**
 * The address of all postbacks. It counts by integration; what leads nowhere, or comes from a sender that is refused, counts by address
 * and takes nothing of an integration.
 */
export function postbackMount(o: PostbackOptions): Mount {
  const places = new Map<string, Known>()
  return { path: postbackPath, methods: ['GET', 'POST'], quota: 'own', handle: receive }

  async function receive(request: IncomingMessage, _response: ServerResponse, exchange: MountExchange): Promise<void> {
    const digest = digestOfToken(exchange.params.token ?? '')
    const target = await targetOf(digest, exchange)
    if (digest === null || target === null) throw new Problem('not_found')
    const standing = await o.quotas.take(`postback ${target.integrationId}`)
    if (!standing.allowed) throw tooMany(standing.restSeconds)
    const sent = await readOrRefuse(request, exchange, standing)
    const stored = await exchange.inWorkspace(target.workspaceId, (tx) => store(tx, { digest, target, sent, exchange }))
    if (stored === null) {
      standing.giveBack()
      places.delete(digest.toString('base64'))
      throw new Problem('not_found')
    }
    sendAnswer(exchange, { status: 200, body: { status: stored ? 'accepted' : 'duplicate' }, cache: 'no-store' })
  }

  /** Null where there is none for this sender. What is refused by what is known is looked at again: it may have changed. */
  async function targetOf(digest: Buffer | null, exchange: MountExchange): Promise<PostbackTarget | null> {
    const { address } = exchange.origin
    const key = digest?.toString('base64') ?? ''
    const known = places.get(key)
    if (known !== undefined && isAllowed(address, known.senders)) return known
    await exchange.countAddress()
    if (digest === null) return null
    const read = { workspaceId: null, readOnly: true }
    const found = await withTransaction(o.lookups, read, (tx) => lookUp(tx, digest))
    if (found === null) {
      places.delete(key)
      return null
    }
    if (places.size >= placesMax) places.clear()
    places.set(key, found)
    return isAllowed(address, found.senders) ? found : null
  }
}

/** What was sent, or why it cannot be read: that is told only where the token turns out to be valid. */
async function readOrRefuse(
  request: IncomingMessage,
  exchange: MountExchange,
  standing: QuotaState,
): Promise<Sent | Problem> {
  try {
    return await readSent(request, exchange)
  } catch (error) {
    if (error instanceof Problem) return error
    standing.giveBack()
    throw error
  }
}

async function lookUp(tx: Transaction, digest: Buffer): Promise<Known | null> {
  const target = await findTarget(tx, digest)
  if (target === null) return null
  await setWorkspace(tx, target.workspaceId)
  const found = await load(tx, integrations, target.integrationId, { lock: false })
  return found?.state.fields ? { ...target, senders: sendersOf(found.state.fields.settings) } : null
}

const sendersOf = ({ allowed_cidrs: senders = [] }: PostbackSettings): readonly string[] => senders

function tooMany(restSeconds: number): Problem {
  return new Problem('quota_exceeded', {
    detail: 'More postbacks of the integration came in this second than are taken.',
    headers: { 'retry-after': String(restSeconds) },
    members: { 'violated-policies': ['postbacks'] },
  })
}

/** True where it is new, false where it is there; null where the token or its sender is refused. */
async function store(
  tx: Transaction,
  o: { digest: Buffer; target: PostbackTarget; sent: Sent | Problem; exchange: MountExchange },
): Promise<boolean | null> {
  const { integrationId } = o.target
  if (!(await isValidToken(tx, o.digest))) return null
  const found = await load(tx, integrations, integrationId, { lock: false })
  const fields = found?.state.fields
  if (!found || !fields || found.state.status === 'deleted') return null
  const settings: PostbackSettings = fields.settings
  if (!isAllowed(o.exchange.origin.address, sendersOf(settings))) return null
  if (o.sent instanceof Problem) throw o.sent
  const conversion = readConversion(parametersOf(o.sent, settings), rulesOf(fields, found.nowMs))
  if (!conversion.ok) throw problemOfFaults([conversion.error])
  return insertConversion(tx, integrationId, conversion.value)
}

function rulesOf({ settings, source_time_zone: zone, currency }: IntegrationFields, nowMs: number) {
  return { settings, zone, currency, nowMs }
}

function isAllowed(address: string, senders: readonly string[]): boolean {
  if (senders.length === 0) return true
  const ranges = senders.map(parseRange).filter((range) => range !== null)
  return isInRanges(address, ranges)
}

// Consumes the events of workspaces and puts an evaluation for each rule that one triggers (domain.md 9.1). It never acts: the worker does,
// workspace by workspace, so that one with many events holds up no other.
import { type RawEvent, readEvent } from '@wds/access/event-fields'
import { load } from '@wds/aggregate/aggregate'
import { topics } from '@wds/contracts/topics'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import { dbNow } from '@wds/event-store/event-store'
import { setWorkspace, type Transaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { campaigns } from '../campaigns/resource.ts'
import { depthOf } from '../work-queue/causation.ts'
import type { RuleFields } from './domain/rule.ts'
import { type Place, placeOf, triggeredBy } from './domain/trigger.ts'
import { wholeScope } from './evaluate-rule.ts'
import { readEnabledRules, readWatches, type Watch } from './store-watches.ts'
import { type Evaluation, putEvaluations, readWaiting } from './store-work.ts'

/** A firing's key names the event. */
export const automationConsumer: ConsumerDeclaration = {
  name: 'api.automation',
  topics: [topics.workspaceEvents],
  dedupe: 'natural',
  handleBatch: createAutomationHandler({ warn: () => undefined }),
}

/** Evaluations of a rule that wait, at most: as many as it may fire in a day. What comes beyond them is not looked at. */
export const waitingMax = 1_000
/** As long as the log holds records. What is older is announced once more, and no occasion to act any more. */
const actedOnForMs = 7 * 86_400_000

type Logs = Pick<Logger, 'warn'>

/** `logger`: is told which events are passed over. */
export function createAutomationHandler(logger: Logs): (tx: Transaction, records: LogRecord[]) => Promise<void> {
  return async (tx, records) => {
    const types = new Map(
      records.map(({ key, headers: { event_type: type = '' } }) => [`${key} ${type}`, [key, type] as const]),
    )
    const watches = await readWatches(tx, [...types.values()])
    for (const workspaceId of new Set(watches.map((watch) => watch.workspaceId))) {
      await setWorkspace(tx, workspaceId)
      const own = watches.filter((watch) => watch.workspaceId === workspaceId)
      await putTriggered(tx, { own, records: records.filter(({ key }) => key === workspaceId), logger })
    }
  }
}

/** Of one workspace, in the order of the log. */
async function putTriggered(tx: Transaction, o: { own: Watch[]; records: LogRecord[]; logger: Logs }): Promise<void> {
  const ids = o.own.map(({ ruleId }) => ruleId)
  const [rules, waiting, nowMs] = [await readEnabledRules(tx, ids), await readWaiting(tx, ids), await dbNow(tx)]
  const found: Omit<Evaluation, 'workspaceId' | 'tries' | 'begun'>[] = []
  const passedOver = new Map<string, number>()
  const integrations = new Map<string, string | null>()
  for (const rule of rules.values()) rule.fields.scope = await wholeScope(tx, rule.fields)
  for (const record of o.records) {
    const watches = o.own.filter(({ eventType }) => eventType === record.headers.event_type)
    const event = watches.length === 0 ? null : readEvent(record)
    if (event === null) continue
    const createdMs = Date.parse(event.created)
    const depth = depthOf(record.headers.causation)
    for (const { ruleId, sinceMs } of watches) {
      const rule = rules.get(ruleId)
      if (rule === undefined || !(createdMs >= Math.max(sinceMs, nowMs - actedOnForMs))) continue
      const triggered = await subjectOf(tx, { fields: rule.fields, event, integrations })
      if (triggered === null) continue
      const { subjectId, id, month } = triggered
      const key = `${id}:${subjectId}`
      const keys = waiting.get(ruleId) ?? new Set()
      waiting.set(ruleId, keys)
      // Of an event that is read again.
      if (keys.has(key)) continue
      if (keys.size >= waitingMax) passedOver.set(ruleId, (passedOver.get(ruleId) ?? 0) + 1)
      if (keys.size >= waitingMax) continue
      keys.add(key)
      found.push({ ruleId, ruleVersion: rule.version, subjectId, key, depth, month })
    }
  }
  await putEvaluations(tx, found)
  for (const [rule_id, events] of passedOver)
    o.logger.warn({ rule_id, events }, 'events of an automation rule were passed over: too many wait')
}

/** `integrations`: those of the campaigns that were asked for, by campaign: a hundred rules may ask for the same one. */
async function subjectOf(
  tx: Transaction,
  o: { fields: RuleFields; event: RawEvent; integrations: Map<string, string | null> },
) {
  const { fields, integrations } = o
  const { key, eventId, data } = o.event
  const event = { workspaceId: key, eventId, data }
  const place: Place = placeOf(event)
  // A campaign's own events do not say whose it is.
  if (fields.scope.integration_ids.length > 0 && place.integration === null && place.campaign !== null) {
    if (!integrations.has(place.campaign)) {
      const campaign = await load(tx, campaigns, place.campaign, { lock: false })
      integrations.set(place.campaign, campaign?.state.fields?.integration_id ?? null)
    }
    place.integration = integrations.get(place.campaign) ?? null
  }
  return triggeredBy(fields, event, place)
}

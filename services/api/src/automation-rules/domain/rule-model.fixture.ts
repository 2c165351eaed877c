// The rule machine as its shell runs it (fire-rule.ts, consume-events.ts), in memory and in virtual time, with what must hold at every firing. For
// the simulation alone.
import { Simulation } from '@wds/decider/simulation'
import type { Authority } from '../../authorities/domain/authority.ts'
import { brakeOf, courseOf, failuresMax, type History } from './firing.ts'
import { type DisabledReason, type RuleFields, type RuleState, ruleDecider } from './rule.ts'
import { triggeredBy } from './trigger.ts'

export const minuteMs = 60_000
export const dayMs = 86_400_000
const workspaceId = 'wsp_1'
export const subjects = ['cmp_1', 'cmp_2', 'cmp_3']
export const types = ['campaign.paused', 'campaign.resumed', 'campaign.updated']
export const authority: Authority = {
  principal: { type: 'api_key', id: 'key_1' },
  user_id: null,
  grant_id: null,
  granted_scopes: [],
  saved_ms: 0,
}

/** What the shell asks. A mutant changes one. */
export const core = { brakeOf, courseOf, failuresMax, keyOf: (event: string, subject: string) => `${event}:${subject}` }
export type Core = typeof core

interface Told {
  id: string
  type: string
  subject: string
  depth: number
  atMs: number
  /** Of the firing that told it. */
  by: string | null
}
interface Rule {
  id: string
  state: RuleState
  sinceMs: number
  savedMs: number
  mayAct: boolean
  /** What its action tells. */
  tells: string
  failsUntilMs: number
}
interface Work {
  rule: string
  version: number
  key: string
  event: Told
  subject: string
}
interface Firing {
  rule: string
  key: string
  event: Told
  subject: string
  status: 'succeeded' | 'failed' | 'suppressed' | 'simulated'
  atMs: number
}

export class Model {
  readonly simulation: Simulation
  readonly rules: Rule[]
  readonly events: Told[] = []
  readonly work = new Map<string, Work>()
  readonly firings: Firing[] = []
  readonly disabled: { rule: string; reason: DisabledReason; atMs: number }[] = []
  readonly core: Core
  faults = true

  constructor(seed: number, core: Core) {
    this.core = core
    this.simulation = new Simulation({ seed, startMs: 30 * dayMs })
    this.rules = Array.from({ length: this.simulation.integer(1, 4) }, (_, at) => this.newRule(`rul_${at}`))
  }

  newRule(id: string): Rule {
    const { simulation } = this
    const fields: RuleFields = {
      name: id,
      trigger: { type: 'event', event_type: simulation.pick(types) },
      subject_type: 'campaign',
      scope: { brand_slugs: [], campaign_ids: simulation.chance(0.2) ? ['cmp_1'] : [], integration_ids: [] },
      window: 'today',
      final_days_only: false,
      conditions: [],
      min_sample: {},
      actions: [{ type: 'notify_webhook' }],
      cooldown_minutes: simulation.pick([5, 60, 600]),
      max_fires_per_day: simulation.pick([1, 3, 20]),
      dry_run: simulation.chance(0.1),
    }
    const created = { type: 'RuleCreated', data: { fields, authority, enabled: true } } as const
    const state = ruleDecider.evolve(ruleDecider.initialState, created)
    const tells = simulation.pick(types)
    return { id, state, sinceMs: simulation.nowMs, savedMs: simulation.nowMs, mayAct: true, tells, failsUntilMs: 0 }
  }

  fieldsOf({ state: { fields } }: Rule): RuleFields {
    if (fields === null) throw new Error('a rule without fields')
    return fields
  }

  /** An event, which is on the log at once, and heard some time later, perhaps again, in another order. */
  tell(event: Omit<Told, 'id' | 'atMs'>): void {
    const { simulation } = this
    const told = { ...event, id: `evt_${String(this.events.length).padStart(6, '0')}`, atMs: simulation.nowMs }
    this.events.push(told)
    const times = this.faults && simulation.chance(0.3) ? 3 : 1
    for (let nth = 0; nth < times; nth += 1) {
      const lateMs = this.faults && simulation.chance(0.2) ? simulation.integer(0, 2 * dayMs) : 1_000
      simulation.at(simulation.nowMs + simulation.integer(0, lateMs), () => this.hear(told))
    }
  }

  hear(event: Told): void {
    for (const rule of this.rules) {
      const fields = this.fieldsOf(rule)
      const waits = fields.trigger.type === 'event' && fields.trigger.event_type === event.type
      if (!waits || rule.state.status !== 'enabled' || event.atMs < rule.sinceMs) continue
      const heard = { workspaceId, eventId: event.id, data: {} }
      const triggered = triggeredBy(fields, heard, {
        brand: null,
        integration: null,
        campaign: event.subject,
        sub_affiliate: null,
      })
      if (triggered === null) continue
      const key = this.core.keyOf(triggered.id, triggered.subjectId)
      const place = `${rule.id} ${key}`
      const { version } = rule.state
      if (!this.work.has(place)) this.work.set(place, { rule: rule.id, version, key, event, subject: event.subject })
      this.take(place)
    }
  }

  /** Somebody takes it; another one may have carried it out by then. */
  take(place: string): void {
    const lateMs = this.faults && this.simulation.chance(0.1) ? this.simulation.integer(0, dayMs) : 1_000
    this.simulation.at(this.simulation.nowMs + this.simulation.integer(0, lateMs), () => this.carryOut(place))
  }

  /** As fire-rule.ts does: one transaction, which is there as a whole or not at all. */
  carryOut(place: string): void {
    const work = this.work.get(place)
    const rule = this.rules.find(({ id }) => id === work?.rule)
    if (work === undefined || rule === undefined) return
    if (this.faults && this.simulation.chance(0.1)) {
      this.take(place)
      return
    }
    this.work.delete(place)
    const { nowMs } = this.simulation
    if (rule.state.status !== 'enabled' || rule.state.version !== work.version) return
    if (this.firings.some((one) => one.rule === rule.id && one.key === work.key)) return
    const fields = this.fieldsOf(rule)
    const brake = this.core.brakeOf(fields, this.history(work), nowMs)
    const course = this.core.courseOf({ fields, brake, depth: work.event.depth, mayAct: rule.mayAct })
    if (course === 'nothing') return
    if (course === 'loop_detected' || course === 'authorization_revoked') {
      this.disable(rule, course)
      return
    }
    const fails = nowMs < rule.failsUntilMs
    const status = course === 'act' ? (fails ? 'failed' : 'succeeded') : course
    const firing: Firing = {
      rule: rule.id,
      key: work.key,
      event: work.event,
      subject: work.subject,
      status,
      atMs: nowMs,
    }
    this.judge(firing, fields, rule)
    this.firings.push(firing)
    if (status !== 'succeeded' && status !== 'failed') return
    if (status === 'succeeded')
      this.tell({ type: rule.tells, subject: this.simulation.pick(subjects), depth: work.event.depth + 1, by: place })
    const own = this.firings.filter((one) => one.rule === rule.id && isAct(one) && one.atMs >= rule.savedMs)
    const row = own.slice(-this.core.failuresMax)
    if (row.length === this.core.failuresMax && row.every((one) => one.status === 'failed'))
      this.disable(rule, 'too_many_failures')
  }

  history({ rule, subject }: Work): History {
    const own = this.firings.filter((one) => one.rule === rule)
    const last = own.filter((one) => one.subject === subject && one.status !== 'suppressed').at(-1)
    const held = own.filter((one) => one.subject === subject && one.status === 'suppressed').at(-1)
    const dayStartMs = Math.floor(this.simulation.nowMs / dayMs) * dayMs
    return {
      lastMs: last?.atMs ?? null,
      firedToday: own.filter(({ status, atMs }) => status !== 'suppressed' && atMs >= dayStartMs).length,
      isSuppressionKnown: held !== undefined && (last === undefined || held.atMs >= last.atMs),
    }
  }

  /** Safety, at every firing. */
  judge(firing: Firing, fields: RuleFields, rule: Rule): void {
    const hold = (holds: boolean, what: string) => {
      if (!holds) throw new Error(`${firing.rule}, ${firing.event.id}: ${what}`)
    }
    const own = this.firings.filter(({ rule: id }) => id === firing.rule)
    const acted = own.filter((one) => one.status !== 'suppressed')
    hold(!own.some(({ event, subject }) => event === firing.event && subject === firing.subject), 'fired twice')
    hold(firing.event.atMs >= rule.sinceMs, 'fired for what was before it')
    if (firing.status === 'suppressed') {
      const since = own.filter(({ subject }) => subject === firing.subject).at(-1)
      hold(since?.status !== 'suppressed', 'noted twice that it was held back')
      return
    }
    const last = acted.filter(({ subject }) => subject === firing.subject).at(-1)
    hold(
      last === undefined || firing.atMs - last.atMs >= fields.cooldown_minutes * minuteMs,
      'fired within its cooldown',
    )
    const today = acted.filter(({ atMs }) => Math.floor(atMs / dayMs) === Math.floor(firing.atMs / dayMs))
    hold(today.length < fields.max_fires_per_day, 'fired more often in a day than it may')
    if (firing.status === 'simulated') return
    hold(!fields.dry_run, 'acted though it is tried dry')
    hold(rule.mayAct, 'acted without the right')
    hold(firing.event.depth < 2, 'acted at the third step')
    const failed = acted.filter(({ atMs }) => atMs >= rule.savedMs).slice(-failuresMax)
    hold(failed.length < failuresMax || failed.some(({ status }) => status !== 'failed'), 'acted after five failures')
  }

  disable(rule: Rule, reason: DisabledReason): void {
    this.command(rule, { type: 'disable', reason })
    this.disabled.push({ rule: rule.id, reason, atMs: this.simulation.nowMs })
  }

  command(rule: Rule, command: Parameters<typeof ruleDecider.decide>[1]): void {
    const decision = ruleDecider.decide(rule.state, command)
    if (!decision.accepted || decision.events.length === 0) return
    rule.state = decision.events.reduce(ruleDecider.evolve, rule.state)
    if (command.type !== 'disable') rule.savedMs = this.simulation.nowMs
    if (command.type === 'enable') rule.sinceMs = this.simulation.nowMs
  }

  /** A person acts, or a right ends or comes back. */
  person(): void {
    const { simulation } = this
    const rule = simulation.pick(this.rules)
    const patch = { name: `${simulation.integer(0, 9)}` }
    simulation.pick([
      () => this.command(rule, { type: 'disable', reason: 'user' }),
      () => this.command(rule, { type: 'enable', authority }),
      () => this.command(rule, { type: 'update', patch, authority }),
      () => {
        rule.mayAct = !rule.mayAct
      },
      () => {
        rule.failsUntilMs = simulation.nowMs + 2 * dayMs
      },
    ])()
  }
}

const isAct = ({ status }: Firing) => status === 'succeeded' || status === 'failed'

/**
 * Every incident of the desk: the alerts of its key fire and no other does, what its page says to look at can be run while it lasts,
 * one of these shows the cause, and all is silent after it. With the waiting times of the alerts cut to a twentieth.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { serviceNames } from '@wds/provision/provision'
import { eventually } from '../harness/standalone.ts'
import { answers, excused } from './answers.ts'
import { type Desk, openDesk } from './desk.ts'
import { incidents } from './incidents.ts'
import { type IncidentRig, startIncidentRig } from './rig.ts'
import { commandsOf, runbookPages } from './runbook.ts'

/** The longest of the rules waits three minutes here, after what it waits for. */
const firesWithinMs = 600_000
/** The load ends by itself if the run hangs. */
const minutes = 120

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('an incident', () => {
  let rig: IncidentRig
  let desk: Desk
  beforeAll(async () => {
    rig = await startIncidentRig({ minutes })
    desk = openDesk(rig)
  })
  afterAll(() => rig?.stop())

  /** Addresses in paths are of the partner that has the trouble. */
  const filled = (words: string[]) =>
    words.map((word) =>
      word
        .replace(
          /\{(northwind|contoso|fabrikam)\}/g,
          (_, name: keyof typeof rig.partners) => rig.partners[name].webhookId,
        )
        .replace('/webhooks/{id}', `/webhooks/${rig.partners.contoso.webhookId}`),
    )
  const ask = (words: string[]) => desk(filled(words))
  const firing = () => rig.prometheus.firing()

  /** SQL of a page is of whichever service it is about. */
  async function run(command: string[]): Promise<unknown> {
    if (command[0] !== 'sql') return ask(command)
    const tried = await Promise.allSettled(serviceNames.map((service) => ask(['sql', service, ...command.slice(1)])))
    return tried.some(({ status }) => status === 'fulfilled')
      ? ''
      : Promise.reject((tried[0] as PromiseRejectedResult).reason)
  }

  /** One that flaps is seen again within this time, s. */
  const quietSeconds = 20
  const silent = (since: number) =>
    eventually(
      'no alert fires',
      async () => {
        const now = Date.now() / 1_000
        const fired = [...rig.prometheus.firedSince(Math.max(since, now - quietSeconds)).keys()]
        return now - since > quietSeconds && fired.every((alert) => excused.includes(alert))
      },
      firesWithinMs,
    )

  test.each(runbookPages)('%s: what it says to look at can be asked of a stack that is well', async (page) => {
    for (const command of commandsOf(page)) await run(command)
  })

  test.each(incidents)(
    '$name: its alerts fire, its page shows the cause, and afterwards all are silent',
    async ({ name, inject }) => {
      const key = answers[name]
      if (key === undefined) throw new Error(`${name} has no key`)
      const since = Math.floor(Date.now() / 1_000)
      const heal = await inject(rig)
      try {
        await eventually(
          `${key.alerts.join(', ') || 'nothing'} fires`,
          async () => {
            const now = await firing()
            return key.alerts.every((alert) => now.includes(alert))
          },
          firesWithinMs,
        )
        const seen = await eventually(
          `${key.evidence.command.join(' ')} shows ${key.evidence.shows}`,
          async () => {
            const said = await ask(key.evidence.command)
            return key.evidence.shows.test(said) || Promise.reject(new Error(said.slice(0, 2_000)))
          },
          firesWithinMs,
        )
        expect(seen).toBe(true)
        for (const command of commandsOf(key.page)) {
          const failure = await run(command).then(
            () => null,
            (error: Error) => error.message,
          )
          // The database may be what is away.
          if (!/ECONNREFUSED|too many clients|remaining connection slots/.test(failure ?? ''))
            expect([command, failure]).toEqual([command, null])
        }
        const fired = [...rig.prometheus.firedSince(since).keys()]
        const allowed = [...key.alerts, ...key.follows, ...excused]
        expect(fired.filter((alert) => !allowed.includes(alert))).toEqual([])
      } finally {
        await heal()
      }
      await silent(Date.now() / 1_000)
    },
  )
})

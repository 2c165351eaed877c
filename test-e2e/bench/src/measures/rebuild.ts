/** What the check and the rebuild of read rows cost: 100,000 events of 20,000 campaigns, none of which has a row at first. */
import { startApiPlace } from '../api-place.ts'
import { rounded } from '../statistics.ts'
import { atLeast, type Line, type Measure, type MeasureContext } from './measure.ts'

const campaigns = 20_000
const eventsOfEach = 5
const eventsMinPerSecond = 10_000

async function run(context: MeasureContext): Promise<Line[]> {
  const place = await startApiPlace(context)
  const { admin, workspaceId } = place
  try {
    const { id } = await place.call('/v1/campaigns', {
      body: { name: 'Version 1', integration_id: place.integrationId, external_id: 'made' },
    })
    for (let version = 2; version <= eventsOfEach; version += 1)
      await place.call(`/v1/campaigns/${String(id)}`, { method: 'PATCH', body: { name: `Version ${version}` } })
    context.say(
      `making ${(campaigns * eventsOfEach).toLocaleString('en')} events of ${campaigns.toLocaleString('en')} campaigns`,
    )
    await admin.query(
      `insert into api.stream_events select copied.* from api.stream_events e, generate_series(1, $3::integer) n,
         jsonb_populate_record(e, jsonb_build_object('stream_id', 'cmp_' || lpad(n::text, 26, '0'),
           'event_id', 'evt_' || lpad((n * 10 + e.version)::text, 26, '0'),
           'data', replace(e.data::text, '"made"', '"made-' || n || '"')::json)) copied
       where e.workspace_id = $1 and e.stream_id = $2`,
      [workspaceId, id, campaigns],
    )
    await admin.query('vacuum analyze api.stream_events')
    const perSecond = async (command: string, expected: RegExp) => {
      const fromMs = performance.now()
      const { code, output } = await place.rig.stack.run('api', [command, '--workspace', workspaceId])
      const seconds = (performance.now() - fromMs) / 1_000
      const last = output.split('\n').find((line) => expected.test(line))
      if (code !== 0 || last === undefined) throw new Error(`${command} ended with ${code}: ${output.slice(-500)}`)
      const events = Number(/: (\d+) events/.exec(last)?.[1])
      return {
        value: rounded(events / seconds),
        unit: 'events/s',
        floor: atLeast(events / seconds, eventsMinPerSecond),
      }
    }
    const rebuilt = await perSecond(
      'rebuild-rows',
      new RegExp(`, ${campaigns} differences, ${campaigns} written anew$`),
    )
    const checked = await perSecond('check-rows', /, 0 differences$/)
    const again = await perSecond('rebuild-rows', /, 0 differences, 0 written anew$/)
    return [
      { measure: 'rebuild, every row written', ...rebuilt },
      { measure: 'rebuild, no row written', ...again },
      { measure: 'check', ...checked },
    ]
  } finally {
    await place.stop()
  }
}

export const rebuild: Measure = {
  name: 'rebuild',
  meaning: 'rebuild-rows and check-rows of api over 100,000 events of 20,000 campaigns, start of the process included',
  run,
}

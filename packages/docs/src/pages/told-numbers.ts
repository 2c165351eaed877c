// Which numbers the explanations tell, and where the code has each. A number is typed into a sentence, so that people read it there; a test
// compares it with the code.
import { constantOf, numberIn } from '../generate/constant-of-code.ts'
import type { Program } from '../generate/programs.ts'

/** A sentence of a page, with `{}` where its number stands. */
export interface Told {
  page: string
  text: string
  number: string | number
}

const [api, auth, delivery] = ['services/api/src', 'services/auth/src', 'services/delivery/src']
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** What the pages must say. Throws where the code has no such number any more. */
export function toldNumbers(root: URL, programs: readonly Program[]): Told[] {
  const constant = (file: string, name: string, unit = 1) => constantOf(root, [file, name]) / unit
  const inFile = (file: string, pattern: RegExp, unit = 1) => numberIn(root, [file, pattern]) / unit
  const inWords = (value: number) => words[value] ?? value
  const setting = (program: string, name: string) => {
    const rows = programs.find((one) => one.name === program)?.rows ?? []
    const value = rows.find((row) => row.name === name)?.default
    const [, count, unit = ''] = /^(\d+)(s|d)$/.exec(value ?? '') ?? []
    if (count === undefined) throw new Error(`${program} has no ${name} in seconds or days`)
    return `${count} ${unit === 'd' ? 'days' : 's'}`
  }

  const shownDays = constant(`${delivery}/days/domain/shown-days.ts`, 'shownDays')
  const deadline = setting('delivery', 'WDS_DELIVERY_DEADLINE')
  const failingDays = inWords(constant(`${delivery}/lanes/store-parked.ts`, 'failingMs', dayMs))
  const recentMinutes = inFile(`${auth}/sessions/store.ts`, /const isRecent = .* interval '(\d+) minutes'/)
  const lives = `${auth}/oauth/engine/lives.ts`
  const finalHours = inFile(`${api}/stats-days/domain/day-wait.ts`, /longestSettleMs\(state\) \+ (\d+) \* hourMs/)
  const lateHours = inFile(`${api}/stats-days/domain/day-wait.ts`, /- (\d+) \* hourMs/)
  const auditDays = inFile(`${auth}/audit/store.ts`, /app_now\(\) - interval '(\d+) days'/)
  const erasedDays = constant(`${api}/sub-affiliates/resource.ts`, 'erasedAfterMs', dayMs)

  const aDelivery: [string, string | number][] = [
    ['with {} attempts under way at first', inFile(`${delivery}/lanes/store.ts`, /least\((\d+), /)],
    [
      'at first and {} at most (`max_in_flight`)',
      inFile(`${delivery}/subscriptions/routes.ts`, /max_in_flight: (\d+)/),
    ],
    ['a lease of {}.', setting('delivery', 'WDS_DELIVERY_LEASE')],
    ['within {} in all', deadline],
    ['or {} days in which every attempt failed', failingDays],
  ]
  const consent: [string, string | number][] = [
    ['within the last {} minutes', recentMinutes],
    ['good for {} seconds and once', inFile(lives, /code: (\d+),/)],
    ['an access token of {} hour,', inWords(inFile(lives, /accessToken: ([\d_]+),/, 3_600))],
    ['a refresh token of {} days', inFile(lives, /refreshToken: ([\d_* ]+),/, 86_400)],
    ['after {} s at the latest', inFile('packages/event-store/src/acknowledge.ts', /withinMs = ([\d_]+)/, 1_000)],
    // What it is designed for: no single number of the code (auth.md 5.3).
    ['designed for {} seconds', 2],
  ]
  const dataProtection: [string, string | number][] = [
    ['| {} hours without use', constant(`${auth}/sessions/store.ts`, 'idleHoursMax')],
    ['without use, {} days at most', constant(`${auth}/sessions/store.ts`, 'sessionDaysMax')],
    ['| {} days without use', constant(`${auth}/throttle/store-known-browsers.ts`, 'knownBrowserDays')],
    ['used or ended; {} days', inFile(`${auth}/invitations/store.ts`, /app_now\(\) \+ interval '(\d+) days'/)],
    ['used or ended; {} hours', inFile(`${auth}/people/store-links.ts`, /app_now\(\) \+ interval '(\d+) hours'/)],
    ['| {} days |', auditDays],
    ['until they are {} days old', auditDays],
    ['| {} days after the removal', erasedDays],
    ['erased {} days later', erasedDays],
    ['| {} ([`WDS_POSTBACKS_KEEP`]', setting('api', 'WDS_POSTBACKS_KEEP')],
    ['with {} KiB of each answer', inFile('packages/outbound/src/guarded-client.ts', /excerptBytes: (\d+)/, 1_024)],
    ['shown for {} days', shownDays],
    ['dropped by the day after {} |', constant(`${delivery}/days/store.ts`, 'retentionDays')],
    ['numbers of deliveries by hour | {} days', constant(`${delivery}/statistics/store.ts`, 'countsKeptDays')],
    [
      'bulk replays, from their last change | {} days',
      constant(`${delivery}/replays/store.ts`, 'replaysKeptMs', dayMs),
    ],
    ['records of the event log | {} days', constant('packages/event-log/src/kafka-topics.ts', 'keepMs', dayMs)],
    ['else {} hours', inFile(`${api}/imports/store-chunks.ts`, /interval '(\d+) hours'/)],
    ['rejected lines of an import | {} days', inFile(`${api}/imports/store-rejects.ts`, /interval '(\d+) days'/)],
    ['| {} days after they were asked for', constant(`${api}/exports/domain/export.ts`, 'exportKeptMs', dayMs)],
    [
      '`Idempotency-Key` | {} hours',
      inFile('packages/http-service/src/idempotency.ts', /created <= app_now\(\) - interval '(\d+) hours'/),
    ],
    ['automation rules | {} days', constant(`${api}/automation-rules/store-firings.ts`, 'firingKeptMs', dayMs)],
    ['| {} days; only a digest', inFile(`${auth}/api-keys/store.ts`, /interval '(\d+) days'/)],
  ]
  const pages: Record<string, [string, string | number][]> = {
    'a-delivery': aDelivery,
    'at-least-once': [
      ['can reach back {} days', shownDays],
      ['above {} the attempt has failed', deadline],
    ],
    'consent-and-tokens': consent,
    'data-protection': dataProtection,
    replay: [
      [
        "half a second's worth of the rate, {} at most",
        inFile(`${delivery}/replays/domain/replay.ts`, /Math\.min\((\d+), /),
      ],
      ['up to {} deliveries by id', inFile(`${delivery}/replays/openapi.yaml`, /maxItems: (\d+)/)],
      ['an outage of {} days is made good', failingDays],
      ['events older than {} days', shownDays],
    ],
    'stable-stats': [
      ['at least the rest and {} hours more', finalHours],
      ['{} hours before, `stats.delayed` warns', inWords(lateHours)],
    ],
    sync: [
      ['{} failed runs in a row', inWords(constant(`${api}/integrations/domain/sync-health.ts`, 'failuresToBreak'))],
      ['tried every {} hours', inWords(constant(`${api}/integrations/domain/run-window.ts`, 'brokenEveryMs', hourMs))],
    ],
    'threat-model': [
      ['refuse what is {} s off', inFile('packages/webhook-signature/src/verify.ts', /toleranceSeconds = (\d+)/)],
      ['a sign-in of the last {} minutes', recentMinutes],
    ],
  }
  return Object.entries(pages).flatMap(([page, rows]) => rows.map(([text, number]) => ({ page, text, number })))
}

const number = `(?:\\d[\\d,.]*|${words.join('|')})`
const unit = 's|ms|seconds?|minutes?|hours?|days?|months?|years?|KiB|MiB|%|attempts?|deliveries|runs|failed runs'
const measured = new RegExp(`\\b${number} (?:${unit})\\b`, 'gi')

/** What is wrong with a page: a number that the code has not, and one that no row is about. */
export function faultsOfNumbers(markdown: string, told: readonly Told[]): string[] {
  // Columns of tables are padded; diagrams count steps.
  let rest = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/ {2,}/g, ' ')
  const faults: string[] = []
  for (const { text, number: value } of told) {
    const wanted = text.replace('{}', String(value))
    const at = rest.toLowerCase().indexOf(wanted.toLowerCase())
    if (at < 0) faults.push(`it does not say: ${wanted}`)
    else rest = rest.slice(0, at) + text.replace('{}', '#') + rest.slice(at + wanted.length)
  }
  return [...faults, ...[...rest.matchAll(measured)].map(([one]) => `nothing compares with the code: ${one}`)]
}

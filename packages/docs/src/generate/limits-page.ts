// The reference of limits and of the retry schedule: each number is taken from where the code has it, none is typed (docs.md 2).
import { defaultLimits } from '@wds/http-service/limits'
import { boundsOfCode, guarantees, keptTimes } from './limits-of-code.ts'
import { page, table } from './markdown.ts'
import type { Program } from './programs.ts'

/** Settings that a caller or subscriber meets as a limit, by program. */
const met: readonly [program: string, setting: string][] = [
  ['api', 'WDS_REQUEST_QUOTA'],
  ['api', 'WDS_REQUEST_QUOTA_WINDOW'],
  ['api', 'WDS_REQUEST_CONCURRENCY'],
  ['api', 'WDS_SYNC_ATTEMPTS'],
  ['api', 'WDS_SYNC_RETRY_DELAYS'],
  ['api', 'WDS_POSTBACKS_KEEP'],
  ['delivery', 'WDS_DELIVERY_ATTEMPTS'],
  ['delivery', 'WDS_DELIVERY_DEADLINE'],
  ['delivery', 'WDS_DELIVERY_HOST_RATE'],
  ['delivery', 'WDS_DELIVERY_HOST_SOCKETS'],
]

interface Schedule {
  jitterPart: number
  defaultSchedule: { retryAfterMaxMs: number }
}

/** `packages/docs/reference/limits.md`. Throws where a setting is no more. */
export async function limitsPage(root: URL, programs: readonly Program[]): Promise<string> {
  const module: unknown = await import(new URL('services/delivery/src/deliveries/domain/schedule.ts', root).href)
  const schedule = module as Schedule
  const settings = met.map(([program, name]) => {
    const { meaning, default: value } = rowOf(programs, program, name)
    return [meaning, `\`${value}\``, `\`${name}\` of ${program}`]
  })
  const kib = (bytes: number) => `${(bytes / 1024).toLocaleString('en')} KiB`
  const seconds = (ms: number) => `${ms / 1000} s`
  const requests = [
    ['A JSON body', kib(defaultLimits.bodyBytesMax)],
    ['An upload (imports)', kib(defaultLimits.streamBytesMax)],
    ['Header lines of a request', kib(defaultLimits.headerBytesMax)],
    ['Until the last header line', seconds(defaultLimits.headersDeadlineMs)],
    ['Until the last byte of a JSON body', seconds(defaultLimits.requestDeadlineMs)],
    ['Until the last byte of an upload', seconds(defaultLimits.streamDeadlineMs)],
    ['How long an answer may be left unread', seconds(defaultLimits.unreadMs)],
  ]
  return page(
    '# Limits, guarantees and the retry schedule',
    'You can look up here what is promised, and what a request, a key, a workspace and a delivery are held to. Above a quota the answer is 429 with `Retry-After`; the headers `RateLimit` and `RateLimit-Policy` say how much is left.',
    "Made from the settings' defaults and constants of the code by `npm run generate`; not edited. Whoever runs the service may have set others.",
    `## Guarantees\n\n${guarantees(root, Number(rowOf(programs, 'delivery', 'WDS_DELIVERY_ATTEMPTS').default))}`,
    `## Retries of a delivery\n\n${retries(programs, schedule)}`,
    `## Quotas and deadlines\n\n${table(['what', 'default', 'set by'], settings)}`,
    `## Requests\n\n${table(['what', 'at most'], requests)}`,
    ...boundsOfCode(root),
    `## How long things are kept\n\n${keptTimes(root)}`,
  )
}

function rowOf(programs: readonly Program[], program: string, name: string) {
  const found = programs.find((one) => one.name === program)?.rows.find((row) => row.name === name)
  if (found === undefined) throw new Error(`${program} has no setting ${name}`)
  return found
}

/** One row for each attempt: how long after the one before, and after the first. */
function retries(programs: readonly Program[], { jitterPart, defaultSchedule }: Schedule): string {
  const attempts = Number(rowOf(programs, 'delivery', 'WDS_DELIVERY_ATTEMPTS').default)
  const delays = (rowOf(programs, 'delivery', 'WDS_DELIVERY_DELAYS').default ?? '').split(',').slice(0, attempts - 1)
  let sumMs = 0
  const rows = delays.map((delay, place) => {
    sumMs += msOf(delay)
    return [String(place + 2), delay, timeOf(sumMs)]
  })
  return [
    table(['attempt', 'waits', 'after the first'], [['1', '–', '–'], ...rows]),
    `A delivery that is not answered by 2xx in ${attempts} attempts is \`dead\` and can be replayed. A wait may be longer by up to ${jitterPart * 100} %, so that not all come at once, and is never shorter. A \`Retry-After\` that the receiver asks for is kept up to ${timeOf(defaultSchedule.retryAfterMaxMs)}.`,
  ].join('\n\n')
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function msOf(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new Error(`${text} is no duration`)
  return Number(count) * unitMs[unit as keyof typeof unitMs]
}

function timeOf(ms: number): string {
  const [hours, minutes, seconds] = [
    Math.floor(ms / unitMs.h),
    Math.floor((ms % unitMs.h) / unitMs.m),
    (ms % unitMs.m) / 1_000,
  ]
  return [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', seconds > 0 ? `${seconds} s` : '']
    .filter((part) => part !== '')
    .join(' ')
}

// Which numbers the texts of problems tell, and where the code has each. The catalogue is typed in packages/contracts, which imports no
// service; a test compares it with the code, as told-numbers.ts does with the explanations.
import { constantOf, numberIn } from '../generate/constant-of-code.ts'
import type { Told } from './told-numbers.ts'

const [api, auth, delivery, kit] = [
  'services/api/src',
  'services/auth/src',
  'services/delivery/src',
  'packages/http-service/src',
]
const [kib, mib] = [1_024, 1_048_576]

/** What a text may say beside them: the least of a range, and names of standards, routes and examples that hold a digit. */
export const noBound = /\b1 to(?= )|UTF-8|U\+0000|ISO 4217|GMT\+2|\/v1\//g

/** `page` is the code of the problem. Throws where the code has no such number any more. */
export function toldInProblems(root: URL): Told[] {
  const shownDays = constantOf(root, [`${delivery}/days/domain/shown-days.ts`, 'shownDays'])
  const limit = (name: string, unit: number) =>
    numberIn(root, [`${kit}/limits.ts`, new RegExp(`^ +${name}: ([\\d_]+),`, 'm')]) / unit
  const listMax = numberIn(root, [`${kit}/shared.openapi.yaml`, /^ +limit: \{.* maximum: (\d+),/m])
  const statsMax = numberIn(root, [`${api}/stats/openapi.yaml`, /name: limit, .* maximum: (\d+),/])
  const keyMax = numberIn(root, [`${kit}/idempotency.ts`, /\{1,(\d+)\}\$\/\.test\(key\)/])
  const filter = (name: string) => constantOf(root, [`${delivery}/subscriptions/domain/payload-filter.ts`, name])
  const minutes = numberIn(root, [`${auth}/sessions/store.ts`, /const isRecent = .* interval '(\d+) minutes'/])
  const rows: [code: string, text: string, number: string | number][] = [
    ['malformed_json', 'nested deeper than {} levels', constantOf(root, [`${kit}/strict-json.ts`, 'nestingMax'])],
    ['malformed_json', 'at most {} levels deep', constantOf(root, [`${kit}/strict-json.ts`, 'nestingMax'])],
    ['recent_sign_in_required', 'a sign-in of the last {} minutes', minutes],
    ['event_expired', 'kept for {} days', shownDays],
    ['period_too_old', 'before the {} days for which events are kept', shownDays],
    ['payload_too_large', 'at most {} MiB of JSON', limit('bodyBytesMax', mib)],
    ['payload_too_large', 'imports take {} MiB', limit('streamBytesMax', mib)],
    ['uri_too_long', 'longer than {} KiB', constantOf(root, [`${kit}/raw-answer.ts`, 'targetBytesMax']) / kib],
    ['headers_too_large', 'larger than {} KiB', limit('headerBytesMax', kib)],
    ['rate_missing', 'within the {} days before it', constantOf(root, [`${api}/fx/domain/rate-set.ts`, 'daysBack'])],
    [
      'result_too_large',
      'at most {} rows',
      constantOf(root, [`${api}/stats/store-query.ts`, 'groupsMax']).toLocaleString('en'),
    ],
    ['limit_out_of_range', 'Ask for 1 to {} items', listMax],
    ['limit_out_of_range', 'stats: 1 to {})', statsMax.toLocaleString('en')],
    ['invalid_idempotency_key', 'longer than {} characters', keyMax],
    ['invalid_idempotency_key', 'Send 1 to {} printable', keyMax],
    ['invalid_filter', 'Send 1 to {} conditions', filter('conditionsMax')],
    ['invalid_filter', 'at most {} members deep', filter('stepsMax')],
    ['amount_overflow', 'within ±{} minor units', Number.MAX_SAFE_INTEGER.toLocaleString('en')],
    [
      'query_timeout',
      'ended after {} seconds',
      numberIn(root, ['packages/postgres/src/pool.ts', /statementTimeoutMs \?\? ([\d_]+)/]) / 1_000,
    ],
  ]
  // A word, and no bound.
  for (const code of ['metric_not_additive', 'period_not_final']) rows.push([code, '{} day', 'one'])
  return rows.map(([page, text, number]) => ({ page, text, number }))
}

// Refuses a plain `create index` on a table of an earlier migration: it holds up every write to the table until it is built, and a migration
// runs in a transaction, so it cannot build one beside the writes (`concurrently`). With `if not exists` the operator may have built it before
// (packages/docs/how-to/add-a-migration.md). Run by `npm run check`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of before this check; files of earlier commits are not edited. None is added here. */
const known = new Set([
  'services/api/src/migrations/0009-source-credentials.sql schedules_expiry_due',
  'services/api/src/migrations/0014-exchange-rates.sql imports_by_type',
  'services/api/src/migrations/0017-brands.sql brands_list',
  'services/api/src/migrations/0042-merged-campaigns.sql campaigns_by_merged',
  'services/auth/src/migrations/0005-api-keys-list.sql api_keys_list',
  'services/auth/src/migrations/0006-connected-apps.sql grants_by_status',
  'services/auth/src/migrations/0006-connected-apps.sql grants_by_user',
  'services/auth/src/migrations/0011-api-keys-by-creator.sql api_keys_creator',
  'services/auth/src/migrations/0014-password-parameters.sql passwords_parameters',
  'services/auth/src/migrations/0016-identities-are-disconnected.sql identities_id',
  'services/auth/src/migrations/0017-what-is-in-use.sql engine_records_unused',
  'services/delivery/src/migrations/0006-subscriptions.sql subscriptions_grant',
  'services/delivery/src/migrations/0006-subscriptions.sql subscription_secrets_expired',
  'services/delivery/src/migrations/0007-event-log.sql events_log',
  'services/delivery/src/migrations/0011-apps.sql subscriptions_client',
  'services/delivery/src/migrations/0012-old-rows.sql replays_age',
  'services/delivery/src/migrations/0012-old-rows.sql attempt_counts_age',
  'services/delivery/src/migrations/0016-secrets-by-workspace.sql subscription_secrets_workspace',
])

/** File and index, one text each. */
export function lateIndexes(root: string): string[] {
  const paths = globSync('{services,packages}/*/src/**/*migrations/*.sql', { cwd: root })
  return paths.sort().flatMap((path) => {
    const indexes = lateIndexesOf(readFileSync(join(root, path), 'utf8'))
    return indexes.map((index) => `${path} ${index}`).filter((found) => !known.has(found))
  })
}

/** Names of the indexes that a migration builds on tables which it has not made. */
export function lateIndexesOf(migration: string): string[] {
  const text = migration.replaceAll(/--.*$/gm, '').toLowerCase()
  const made = new Set([...text.matchAll(tables)].map(([, table]) => table))
  return [...text.matchAll(indexes)].flatMap(([, isPrepared, index = '(without a name)', table]) =>
    isPrepared === undefined && !made.has(table) ? [index] : [],
  )
}

const tables = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?([\w.]+)/g
const indexes =
  /\bcreate\s+(?:unique\s+)?index\s+(if\s+not\s+exists\s+)?(?:(?!on\s)(\w+)\s+)?on\s+(?:only\s+)?([\w.]+)/g

if (import.meta.main) {
  const found = lateIndexes(process.cwd())
  for (const one of found) console.error(`${one}: an index on a table of an earlier migration holds up its writes`)
  if (found.length > 0) console.error('see packages/docs/how-to/add-a-migration.md')
  process.exit(found.length === 0 ? 0 : 1)
}

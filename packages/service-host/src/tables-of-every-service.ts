/** Tables that the migrations of every service make and that keep no workspaces apart, each with its reason, for tests of isolation (security.md 4). */
export const tablesOfEveryService: Readonly<Record<string, string>> = {
  migrations: 'names of applied migrations',
  migrations_lock: 'lock row of the migrations runner',
  applied_functions: 'names and hashes of applied functions',
  positions: 'offsets of the log, no tenant data',
  inbox: 'event ids seen, no tenant data',
  access_keys: 'digest to workspace: read before the workspace is known',
  access_ends: 'ids of ended keys and workspaces: kept before their making is known',
  access_denials: 'which tokens are refused: read before the workspace is known',
  access_log_end: 'one row for the whole schema: up to when the log was read',
  access_signing_keys: 'verify the tokens of every workspace',
  request_quotas: 'counts of requests, most of them of no workspace',
  key_canaries: 'what each key of the service opens, no tenant data',
}

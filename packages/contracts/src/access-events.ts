// The events of the topic `access.used` as TypeScript types: what the services that are called tell auth of its credentials. Each record is
// JSON: `id`, `type`, `created`, `data`. They carry no credentials and no addresses.

/** Keys that were let in within the minute before `used` (RFC 3339), by one process. Key of the record: always the same one. */
export interface ApiKeysUsed {
  used: string
  keys: { workspace_id: string; key_id: string }[]
}

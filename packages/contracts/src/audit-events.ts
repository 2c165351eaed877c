// The events of the topic `audit.entries` as TypeScript types: what other services tell the audit log, which is auth's (auth.md 4.6). Each
// record is JSON: `id`, `type`, `created`, `data`. They say from where something was done, so nobody but auth reads them; none holds a secret.

/** One deed in a workspace. Key of the record: the workspace. */
export interface AuditEntryMade {
  /** `aud_…`, of the entry: told twice, it is one. */
  entry_id: string
  workspace_id: string
  /** RFC 3339. */
  done: string
  /** `user:usr_…` */
  actor: string
  /** In snake case, `workspace_settings_changed`. */
  action: string
  /** Id of the thing. */
  target: string
  address: string | null
  user_agent: string | null
  request_id: string
}

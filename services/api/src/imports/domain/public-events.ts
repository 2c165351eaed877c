// Decides which catalog events an event of an import's stream is announced as, with their data and their "once per" key (domain.md 5).
// An event that is not named here stays internal.
import type { PublicEvent } from '@wds/contracts/envelope'
import type { ImportEvent, ImportState } from './import.ts'

/** Announcement of an import's event, or null; a canceled import announces nothing. */
export function importPublicEvent(id: string, state: ImportState, event: ImportEvent): PublicEvent | null {
  const base = { import_id: id, import_type: state.order?.import_type ?? 'stats' }
  if (event.type === 'ImportCompleted') {
    const { lines, accepted, rejected } = event.data.counts
    const data = { ...base, lines, accepted, rejected, duration_ms: event.data.duration_ms }
    return { type: 'import.completed', onceKey: id, data }
  }
  if (event.type === 'ImportFailed') {
    const data = { ...base, error_code: event.data.code, line: event.data.line }
    return { type: 'import.failed', onceKey: id, data }
  }
  return null
}

// The machine of the import: every pair of state and action.
import { describe, expect, test } from '@jest/globals'
import { type ImportCommand, type ImportEvent, importDecider, importMachine } from './import.ts'

const counts = { lines: 2, accepted: 2, rejected: 0, unchanged: 0 }
describe('C23: each pair of state and action of the import', () => {
  const importOrder = {
    import_type: 'stats',
    format: 'csv',
    integration_id: 'int_1',
    brand_slug: 'acme',
    covers: null,
    body_bytes: 1,
    queued_ms: 0,
  } as const
  const open: ImportEvent[] = [{ type: 'ImportQueued', data: { order: importOrder } }]
  const running: ImportEvent[] = [...open, { type: 'ImportStarted', data: { sync_run_id: 'syn_1', at_ms: 1 } }]
  const done = (rejected: number): ImportEvent => ({
    type: 'ImportCompleted',
    data: { counts: { ...counts, rejected }, at_ms: 2, duration_ms: 1 },
  })
  const stories: Record<keyof typeof importMachine, ImportEvent[]> = {
    none: [],
    queued: open,
    running,
    completed: [...running, done(0)],
    completed_with_errors: [...running, done(1)],
    failed: [...running, { type: 'ImportFailed', data: { code: 'invalid_body', line: 3, counts, at_ms: 2 } }],
    canceled: [...open, { type: 'ImportCanceled', data: { at_ms: 2 } }],
  }
  const commands: ImportCommand[] = [
    { type: 'queue', order: importOrder },
    { type: 'start', sync_run_id: 'syn_1', atMs: 1 },
    { type: 'complete', counts, atMs: 2 },
    { type: 'fail', code: 'invalid_body', line: 3, counts, atMs: 2 },
    { type: 'cancel', atMs: 2 },
  ]
  for (const [status, events] of Object.entries(stories)) {
    for (const command of commands) {
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, readonly string[]> = importMachine[status as keyof typeof importMachine]
        const state = events.reduce(importDecider.evolve, importDecider.initialState)
        expect(state.status).toBe(status)
        expect(importDecider.decide(state, command).accepted).toBe(command.type in row)
      })
    }
  }
})

// The machine of the export: every pair of state and action.
import { describe, expect, test } from '@jest/globals'
import {
  commandExport,
  type ExportCommand,
  type ExportState,
  exportKeptMs,
  exportMachine,
  initialExport,
} from './export.ts'

const order = { export_type: 'stats', format: 'csv', compression: 'none', query: {} } as const
const result = { rows: 2, shape: { group_by: ['day'] }, meta: {} }
const commands: ExportCommand[] = [
  { type: 'queue', order, atMs: 0 },
  { type: 'begin', maker: 'one', atMs: 1 },
  { type: 'hold_result', result },
  { type: 'add_piece', rows: 1, bytes: 10 },
  { type: 'complete', atMs: 2 },
  { type: 'fail', code: 'rate_missing', atMs: 2 },
  { type: 'cancel', atMs: 2 },
  { type: 'delete' },
]
const [queue, begin, hold, add, complete, fail, cancel, remove] = commands as [ExportCommand, ...ExportCommand[]]

function after(...story: (ExportCommand | undefined)[]): ExportState {
  return story.reduce<ExportState>((state, command) => {
    const next = commandExport(state, command as ExportCommand)
    if (!next.ok) throw new Error('a story that cannot be')
    return next.state
  }, initialExport)
}

describe('C23: each pair of state and action of the export', () => {
  const stories: Record<keyof typeof exportMachine, ExportState> = {
    none: initialExport,
    queued: after(queue),
    running: after(queue, begin),
    completed: after(queue, begin, hold, add, complete),
    failed: after(queue, begin, fail),
    canceled: after(queue, cancel),
    deleted: after(queue, remove),
  }
  for (const [status, state] of Object.entries(stories)) {
    for (const command of commands) {
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, string> = exportMachine[status as keyof typeof exportMachine]
        expect(state.status).toBe(status)
        const next = commandExport(state, command)
        expect(next.ok ? next.state.status : next.error.code).toBe(row[command.type] ?? 'invalid_state')
      })
    }
  }
})

test('a refusal names what a caller may do, and nothing that only a worker does', () => {
  const refused = commandExport(after(queue, begin), queue as ExportCommand)
  expect(refused).toEqual({
    ok: false,
    error: { code: 'invalid_state', current_status: 'running', allowed: ['cancel', 'delete'] },
  })
})

test('pieces add up, whoever makes them, and progress makes the attempts count from the start', () => {
  const state = after(queue, begin, hold, add, begin, begin, add)
  expect(state).toMatchObject({ rows: 2, bytes: 20, pieces: 2, attempts: 0, started_ms: 1 })
  expect(after(queue, begin, begin).attempts).toBe(2)
  expect(state.expires_ms).toBe(exportKeptMs)
})

test('an export without a whole file holds no bytes', () => {
  for (const end of [fail, cancel])
    expect(after(queue, begin, hold, add, end)).toMatchObject({ bytes: 0, pieces: 0, rows: 1 })
  expect(after(queue, begin, hold, add, complete)).toMatchObject({ bytes: 10, pieces: 1, finished_ms: 2 })
})

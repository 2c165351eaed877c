// Declares the events of sync runs (domain.md 5.1 to 5.6). `sync.completed` has exactly five fields, for ever.
import type { EventDeclaration } from './declaration.ts'

const readScope = ['integrations:read'] as const

export const syncEvents = {
  'sync.started': {
    meaning: 'The first attempt of a sync run began.',
    data: {
      integration_id: 'id int',
      sync_run_id: 'id syn',
      brand_slug: 'slug',
      trigger: 'str schedule|manual|retry|backfill|upload',
      window_from: 'date?',
      window_to: 'date?',
      time_zone: 'zone',
    },
    oncePer: 'run',
    readScope,
    volume: 'high',
    example: { trigger: 'schedule', window_from: '2026-11-15', window_to: '2026-11-18' },
  },
  'sync.completed': {
    meaning: 'A sync run finished, regardless of success.',
    data: {
      integration_id: 'id int',
      brand_slug: 'slug',
      status: 'closed success|failed',
      rows_ingested: 'count',
      duration_ms: 'count',
    },
    oncePer: 'run',
    readScope,
    volume: 'high',
    example: { status: 'success' },
  },
  'sync.attempt_failed': {
    meaning: 'An attempt of a sync run failed; another follows.',
    data: {
      integration_id: 'id int',
      sync_run_id: 'id syn',
      brand_slug: 'slug',
      attempt: 'count',
      max_attempts: 'count',
      error_code: 'str',
      next_attempt: 'ts',
    },
    oncePer: 'run + attempt',
    readScope,
    volume: 'medium',
    example: { attempt: 1, error_code: 'timeout' },
  },
  'sync.failed': {
    meaning: 'A sync run failed after its retries.',
    data: {
      integration_id: 'id int',
      sync_run_id: 'id syn',
      brand_slug: 'slug',
      status: 'str failed',
      attempts: 'count',
      error_code: 'str',
      error_message: 'str',
      duration_ms: 'count',
    },
    oncePer: 'run',
    readScope,
    volume: 'low',
    example: {
      status: 'failed',
      attempts: 4,
      error_code: 'timeout',
      error_message: 'The source did not answer in time.',
      duration_ms: 1_380_450,
    },
  },
  'sync.canceled': {
    meaning: 'A sync run was canceled; no rows were stored.',
    data: {
      integration_id: 'id int',
      sync_run_id: 'id syn',
      brand_slug: 'slug',
      reason: 'str user|integration_paused|integration_deleted',
    },
    oncePer: 'run',
    readScope,
    volume: 'low',
    example: { reason: 'user' },
  },
  'sync.delayed': {
    meaning: 'No sync run succeeded within twice the schedule.',
    data: { integration_id: 'id int', brand_slug: 'slug', last_completed: 'ts?', expected_every_minutes: 'count' },
    oncePer: 'integration + episode',
    readScope,
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>

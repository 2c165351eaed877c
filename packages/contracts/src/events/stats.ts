// Declares the events of stats days and anomalies (domain.md 5.20 to 5.27).
import type { EventDeclaration } from './declaration.ts'

const readScope = ['stats:read'] as const

export const statsEvents = {
  'stats.daily_ready': {
    meaning: "A day's rollup is done and its numbers are stable.",
    data: {
      date: 'date',
      time_zone: 'zone',
      revision: 'count',
      complete: 'bool',
      integrations_included: '[id int]',
      integrations_missing: '[id int]',
      row_count: 'count',
      checksum: 'str',
    },
    oncePer: 'workspace + date',
    readScope,
    volume: 'low',
    example: { revision: 1 },
  },
  'stats.restated': {
    meaning: 'A day that was ready has changed.',
    data: {
      date: 'date',
      time_zone: 'zone',
      revision: 'count',
      previous_revision: 'count',
      brand_slugs: '[slug]',
      metrics_changed: '[str]',
      largest_change_pct: 'num?',
      cause: 'str sync|settings',
      sync_run_id: 'id syn?',
    },
    oncePer: 'workspace + date + revision',
    readScope,
    volume: 'medium',
    example: { revision: 2 },
  },
  'stats.delayed': {
    meaning: 'A day is not stable by its deadline.',
    data: { date: 'date', time_zone: 'zone', deadline: 'ts', waiting_for: '[id int]' },
    oncePer: 'workspace + date',
    readScope,
    volume: 'low',
  },
  'stats.monthly_closed': {
    meaning: 'All days of a month are final; invoices may be made.',
    data: { month: 'month', time_zone: 'zone', days: 'count', revision_max: 'count' },
    oncePer: 'workspace + month',
    readScope,
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>

export const anomalyEvents = {
  'anomaly.detected': {
    meaning: 'A KPI left its baseline.',
    data: {
      anomaly_id: 'id ano',
      metric: 'str',
      brand_slug: 'slug?',
      campaign_id: 'id cmp?',
      date: 'date',
      time_zone: 'zone',
      observed: 'num',
      expected: 'num?',
      lower: 'num?',
      upper: 'num?',
      currency: 'cur?',
      score: 'num?',
      direction: 'str spike|drop',
      severity: 'str low|medium|high',
    },
    oncePer: 'anomaly',
    readScope,
    volume: 'low',
    example: { campaign_id: null, currency: null },
  },
  'anomaly.acknowledged': {
    meaning: 'Someone took an anomaly on.',
    data: { anomaly_id: 'id ano', metric: 'str', brand_slug: 'slug?', date: 'date', time_zone: 'zone' },
    oncePer: 'anomaly',
    readScope,
    volume: 'low',
  },
  'anomaly.resolved': {
    meaning: 'An anomaly is back in its band, was restated away, or was closed by a user.',
    data: {
      anomaly_id: 'id ano',
      metric: 'str',
      brand_slug: 'slug?',
      date: 'date',
      time_zone: 'zone',
      resolution: 'str restated|recovered|user',
    },
    oncePer: 'anomaly',
    readScope,
    volume: 'low',
  },
  'anomaly.dismissed': {
    meaning: 'An anomaly was marked as not being one.',
    data: {
      anomaly_id: 'id ano',
      metric: 'str',
      brand_slug: 'slug?',
      date: 'date',
      time_zone: 'zone',
      reason: 'str expected|data_error|not_useful|other',
    },
    oncePer: 'anomaly',
    readScope,
    volume: 'low',
    example: { reason: 'expected' },
  },
} as const satisfies Record<string, EventDeclaration>

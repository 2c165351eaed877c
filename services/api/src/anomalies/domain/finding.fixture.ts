// For tests: a day on which clicks left their baseline.
import type { Finding } from './anomaly.ts'

export const finding: Finding = {
  metric: 'clicks',
  brand_slug: 'acme',
  day: '2026-11-20',
  time_zone: 'UTC',
  window_days: 1,
  observed: 900,
  expected: 100,
  lower: 60,
  upper: 160,
  currency: null,
  score: 12,
  direction: 'spike',
  severity: 'medium',
  method: 'seasonal_robust_v1',
  baseline_days: 56,
  is_final_day: true,
}

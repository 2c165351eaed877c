// What an anomaly shows: its numbers as people read them, and what can be done with it (ui.md 2).
import type { components } from '@wds/api-client/schemas'
import { anomalyTexts as words } from '../texts/anomalies.ts'
import { dayText, moneyText, roundText } from './numbers.ts'

export type Anomaly = components['schemas']['Anomaly']

export const anomalyStatuses = ['open', 'acknowledged', 'resolved', 'dismissed'] as const
export const anomalySeverities = ['high', 'medium', 'low'] as const
export const anomalyMetrics = ['clicks', 'signups', 'ftds', 'ngr', 'commission'] as const

/** A metric that is not known here speaks for itself. */
export function metricName(metric: string): string {
  return Object.hasOwn(words.metrics, metric) ? words.metrics[metric as keyof typeof words.metrics] : metric
}

/** `1,284`, `€12.50`; what was expected has no digits that say nothing. */
export function amountText({ currency }: Pick<Anomaly, 'currency'>, value: number | null): string {
  return currency === null ? roundText(value) : moneyText(value === null ? null : Math.round(value), currency)
}

/** The range within which the value was expected; null where there is none. A count is never below 0. */
export function usualText(anomaly: Pick<Anomaly, 'currency' | 'lower' | 'upper'>): string | null {
  const { currency, lower, upper } = anomaly
  if (lower === null || upper === null) return null
  const from = currency === null ? Math.max(0, lower) : lower
  return words.range(amountText(anomaly, from), amountText(anomaly, upper))
}

/** `Drop, -62 %`; without a share where nothing was expected. */
export function changeText({
  direction,
  observed,
  expected,
}: Pick<Anomaly, 'direction' | 'observed' | 'expected'>): string {
  if (expected === null || expected <= 0) return words.change(direction, null)
  const share = (observed - expected) / expected
  const format = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'always' } as const
  return words.change(direction, new Intl.NumberFormat('en', format).format(share))
}

/** The day, or the days that it ends. */
export function periodText({ day, window_days: days }: Pick<Anomaly, 'day' | 'window_days'>): string {
  const text = dayText(day, 'en-GB', true)
  if (days === 1) return text
  return `${days === 7 ? words.week : words.days(days)} ${text}`
}

/** What the state lets be done, in the order of the buttons. */
export function actionsOn({ status }: Pick<Anomaly, 'status'>): readonly ('acknowledge' | 'resolve' | 'dismiss')[] {
  if (status === 'open') return ['acknowledge', 'resolve', 'dismiss']
  return status === 'acknowledged' ? ['resolve', 'dismiss'] : []
}

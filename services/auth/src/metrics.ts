// Every metric of the auth service: name, unit, labels, meaning. The reference in the docs is made from it.
import type { Metric } from '@wds/telemetry/metrics'
import {
  certificateMetrics,
  clockMetrics,
  consumerMetrics,
  heldBackMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
} from '@wds/telemetry/platform-metrics'

/** All of them; auth has none of its own. */
export const metrics: readonly Metric[] = [
  certificateMetrics,
  clockMetrics,
  consumerMetrics,
  heldBackMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
].flatMap((group): Metric[] => Object.values(group))

// Every metric of the catalog service: name, unit, labels, meaning. The reference in the docs is made from it.
import type { Metric } from '@wds/telemetry/metrics'
import {
  clockMetrics,
  heldBackMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
} from '@wds/telemetry/platform-metrics'

/** All of them; catalog has none of its own. */
export const metrics: readonly Metric[] = [
  clockMetrics,
  heldBackMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
].flatMap((group): Metric[] => Object.values(group))

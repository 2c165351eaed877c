// Every metric of the api service: name, unit, labels, meaning. The reference in the docs is made from it.
import { counter, gauge, type Metric } from '@wds/telemetry/metrics'
import {
  clockMetrics,
  consumerMetrics,
  heldBackMetrics,
  hostMetrics,
  httpMetrics,
  outboxMetrics,
  poolMetrics,
  processMetrics,
} from '@wds/telemetry/platform-metrics'

/** The api's own. */
export const apiMetrics = {
  oldestWaitingRunAge: gauge({
    name: 'wds_api_oldest_waiting_sync_run_age_seconds',
    unit: 's',
    labels: {},
    meaning: 'Age of the oldest due import or sync run without a worker; 0 when there is none.',
  }),
  syncWork: gauge({
    name: 'wds_api_sync_work',
    unit: '{run}',
    labels: { state: '`waiting`: due, not yet claimed; `running`: under a lease; `deferred`: due later.' },
    meaning: 'Unfinished imports and sync runs.',
  }),
  oldestWaitingExportAge: gauge({
    name: 'wds_api_oldest_waiting_export_age_seconds',
    unit: 's',
    labels: {},
    meaning: 'Age of the oldest due export without a worker; 0 when there is none.',
  }),
  exportWork: gauge({
    name: 'wds_api_export_work',
    unit: '{export}',
    labels: { state: '`waiting`: due, not yet claimed; `running`: under a lease; `deferred`: due later.' },
    meaning: 'Unfinished exports.',
  }),
  exportsFinished: counter({
    name: 'wds_api_exports_finished_total',
    unit: '{export}',
    labels: { outcome: '`completed` or `failed`.', error_code: 'Why it failed, as in the export.' },
    meaning: 'Exports that came to an end by themselves.',
  }),
  syncAttempts: counter({
    name: 'wds_api_sync_attempts_total',
    unit: '{attempt}',
    labels: { outcome: '`succeeded` or `failed`.', error_code: 'Class of the failure, as in the run.' },
    meaning: 'Finished attempts of sync runs.',
  }),
}

/** All of them. */
export const metrics: readonly Metric[] = [
  hostMetrics,
  httpMetrics,
  poolMetrics,
  outboxMetrics,
  clockMetrics,
  consumerMetrics,
  heldBackMetrics,
  processMetrics,
  apiMetrics,
].flatMap((group): Metric[] => Object.values(group))

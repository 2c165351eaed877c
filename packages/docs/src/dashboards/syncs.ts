// Imports, pulls from sources and exports.
import { type Dashboard, max, rate } from './panel.ts'

export const syncs: Dashboard = {
  name: 'syncs',
  title: 'Syncs and exports',
  rows: [
    [
      {
        title: 'Imports and sync runs',
        meaning: 'Waiting: due, no worker yet; running: under a lease; deferred: due later.',
        unit: 'short',
        queries: { '{{state}}': max('wds_api_sync_work', 'state') },
      },
      {
        title: 'Oldest that waits',
        meaning: 'The line is the alert SyncsDelayed.',
        unit: 's',
        alertAt: 900,
        queries: { age: max('wds_api_oldest_waiting_sync_run_age_seconds') },
      },
      {
        title: 'Attempts',
        meaning: 'Finished ones; a failure has its class.',
        unit: 'ops',
        queries: { '{{outcome}} {{error_code}}': rate('wds_api_sync_attempts_total', 'outcome, error_code') },
      },
    ],
    [
      {
        title: 'Exports',
        meaning: 'As above, of exports.',
        unit: 'short',
        queries: { '{{state}}': max('wds_api_export_work', 'state') },
      },
      {
        title: 'Oldest export that waits',
        meaning: 'Scales workers from 60 s.',
        unit: 's',
        queries: { age: max('wds_api_oldest_waiting_export_age_seconds') },
      },
      {
        title: 'Exports finished',
        meaning: 'Those that came to an end by themselves; a failure has its code.',
        unit: 'ops',
        queries: { '{{outcome}} {{error_code}}': rate('wds_api_exports_finished_total', 'outcome, error_code') },
      },
    ],
  ],
}

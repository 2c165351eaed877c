// Every setting of this service. It is the only reader of the environment here (architecture.md 10).
import { outboundChecks, outboundSettings } from '@wds/outbound/settings'
import { secretSettings, serviceSettings } from '@wds/service-host/service-settings'
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings(
  {
    ...serviceSettings({ port: 8082 }),
    ...secretSettings,
    ...outboundSettings,
    WDS_SYNC_ATTEMPTS: { type: 'integer', min: 1, max: 20, default: 4, meaning: 'Attempts of a sync run.' },
    WDS_SYNC_RETRY_DELAYS: {
      type: 'durations',
      default: '1m,5m,15m',
      min: 1,
      max: 86_400_000,
      meaning: 'Waits before the second and further attempts of a sync run.',
    },
    WDS_SYNC_LEASE: {
      type: 'duration',
      default: '60s',
      min: 300,
      max: 3_600_000,
      meaning: 'Lease of a sync attempt: without renewal for this long, another worker takes it over.',
    },
    WDS_SYNC_CONCURRENCY: {
      type: 'integer',
      min: 1,
      max: 64,
      default: 4,
      meaning: 'Uploaded files that are read at a time in one process.',
    },
    WDS_SYNC_FEED_CONCURRENCY: {
      type: 'integer',
      min: 1,
      max: 256,
      default: 16,
      meaning:
        'Sources that are pulled from at a time in one process; each holds one page of at most 10 MiB. They wait more than they compute, and no upload waits for them.',
    },
    WDS_SYNC_PER_WORKSPACE: {
      type: 'integer',
      min: 1,
      max: 64,
      default: 2,
      meaning: 'Files read, and beside them sources pulled from, of one workspace at a time, over all processes.',
    },
    WDS_SYNC_POLL: {
      type: 'duration',
      default: '500ms',
      min: 10,
      max: 60_000,
      meaning: 'Longest interval between two polls of the queue.',
    },
    WDS_POSTBACKS_KEEP: {
      type: 'duration',
      default: '400d',
      min: 60 * 86_400_000,
      max: 3_660 * 86_400_000,
      meaning:
        'How long conversions of postbacks are kept from when they occurred, once they are in the stats: so far back their days can be folded again, and a call that is repeated is known as a duplicate.',
    },
    WDS_EXPORT_CONCURRENCY: {
      type: 'integer',
      min: 1,
      max: 16,
      default: 2,
      meaning: 'Exports that are made at a time in one process, at most one of a workspace over all processes.',
    },
    WDS_STATS_BACKFILL_REST: {
      type: 'duration',
      default: '6h',
      min: 0,
      max: 432_000_000,
      meaning: 'Rest of the rows of a day that waits for no integration, as a backfilled one, before it is final.',
    },
    WDS_STATS_RESTATE_WAIT: {
      type: 'duration',
      default: '10m',
      min: 0,
      max: 86_400_000,
      meaning: 'Wait from the first change of a final day until it is restated with all changes.',
    },
  },
  { checks: outboundChecks },
)

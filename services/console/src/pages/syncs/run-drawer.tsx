// One sync run: its days, attempts, what became of its rows, why it failed; retry and cancel.
import type { Schemas } from '../../api.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Drawer } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text, Title } from '../../components/text.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { syncTexts as words } from '../../texts/syncs.ts'
import { texts } from '../../texts.ts'
import { countText } from '../../view-models/numbers.ts'
import { durationText } from '../../view-models/relative-time.ts'
import { codeText, daysText, isOpenRun, rowCounts } from '../../view-models/sync-run.ts'
import { RunButtons } from './run-buttons.tsx'

type SyncRun = Schemas['SyncRun']

interface RunDrawerProps {
  /** Null: closed. */
  id: string | null
  nameOf: (run: SyncRun) => string
  onClose: () => void
}

export function RunDrawer({ id, nameOf, onClose }: RunDrawerProps) {
  return (
    <Drawer title={words.run} isOpen={id !== null} onClose={onClose}>
      {id !== null && <RunById key={id} id={id} nameOf={nameOf} />}
    </Drawer>
  )
}

function RunById({ id, nameOf }: { id: string; nameOf: RunDrawerProps['nameOf'] }) {
  const reading = useRead('/v1/sync-runs/{id}', { path: { id } }, { pace: 'live' })
  return (
    <Loaded source={reading} rows={8}>
      {(run) => <Run run={run} name={nameOf(run)} />}
    </Loaded>
  )
}

function Run({ run, name }: { run: SyncRun; name: string }) {
  const canWrite = useAllowed('integrations:write')
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Title order={2} size="h3">
          {words.runNumber(run.run_seq)}
        </Title>
        <StatusBadge status={run.status} />
        <RouteLink to={`integrations/${run.integration_id}`}>{name}</RouteLink>
      </Group>
      {run.error && (
        <Notice look="warning" title={words.error}>
          <Text size="sm">
            {run.error.message} {isOpenRun(run) ? words.errorAgain : words.errorFinal} ({run.error.code})
          </Text>
        </Notice>
      )}
      {canWrite && <RunButtons run={run} />}
      <Facts facts={factsOf(run)} />
      <Counts run={run} />
      <Rejects run={run} />
      <Warnings warnings={run.warnings ?? {}} />
      <CurlView method="get" path={`/v1/sync-runs/${run.id}`} />
    </Stack>
  )
}

function factsOf(run: SyncRun) {
  const { attempt = 0, max_attempts: max = 1, next_attempt: next = null, duration_ms: ms, import_id: importId } = run
  const time = (name: string, at: string | null | undefined) => (at ? [{ name, value: <RelativeTime at={at} /> }] : [])
  return [
    { name: words.window, value: daysText(run) },
    ...(run.time_zone ? [{ name: words.timeZone, value: run.time_zone }] : []),
    { name: words.trigger, value: words.triggers[run.trigger] },
    { name: words.attempt, value: words.attemptOf(attempt, max) },
    ...time(words.nextAttempt, next),
    ...time(words.queued, run.queued),
    ...time(words.started, run.started),
    ...time(words.finished, run.finished),
    { name: words.duration, value: typeof ms === 'number' ? durationText(ms) : texts.time.none },
    { name: words.id, value: <IdText id={run.id} what={words.id} isWhole /> },
    ...(importId ? [{ name: words.import, value: <RouteLink to={`imports/${importId}`}>{importId}</RouteLink> }] : []),
  ]
}

function Counts({ run }: { run: SyncRun }) {
  return (
    <section aria-label={words.counts}>
      <Title order={3} size="h3" mb="xs">
        {words.counts}
      </Title>
      <Facts facts={rowCounts(run).map(({ name, count }) => ({ name, value: countText(count) }))} />
      {run.deletes_skipped && (
        <Text size="sm" mt="xs">
          {words.deletesSkipped}
        </Text>
      )}
    </section>
  )
}

function Rejects({
  run: { rejects_sample: sample = [], rows_rejected: count, import_id: importId },
}: {
  run: SyncRun
}) {
  if (sample.length === 0) return null
  const columns = [
    { title: words.line, cell: ({ line }: (typeof sample)[number]) => countText(line), isNarrow: true },
    { title: words.code, cell: ({ code }: (typeof sample)[number]) => code, isNarrow: true },
    { title: words.reason, cell: ({ detail }: (typeof sample)[number]) => detail },
  ]
  return (
    <section aria-label={words.rejects}>
      <Title order={3} size="h3">
        {words.rejects}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {words.rejectsHint(sample.length, countText(count))}
      </Text>
      <DataTable
        caption={words.rejects}
        columns={columns}
        rows={sample}
        keyOf={({ line, code, detail }) => `${line} ${code} ${detail}`}
      />
      {importId && <CurlView method="get" path={`/v1/imports/${importId}/errors`} label={words.allRejects} />}
    </section>
  )
}

function Warnings({ warnings }: { warnings: Readonly<Record<string, number | undefined>> }) {
  const found = Object.entries(warnings)
  if (found.length === 0) return null
  return (
    <section aria-label={words.warnings}>
      <Title order={3} size="h3" mb="xs">
        {words.warnings}
      </Title>
      <Facts facts={found.map(([code, count]) => ({ name: countText(count), value: codeText(code) }))} />
    </section>
  )
}

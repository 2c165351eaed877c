// What a rule would do now: asked for by a button, since it looks at the numbers of every subject.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import { type AutomationRule, evidenceText } from '../../view-models/automation-rules.ts'
import { Subject } from './subject.tsx'

type Found = Schemas['AutomationDryRun']['data'][number]

const columns: readonly Column<Found>[] = [
  { title: words.subjectOf, cell: (one) => <Subject type={one.subject_type} id={one.subject_id} /> },
  { title: words.numbers, cell: ({ evidence }) => evidenceText(evidence) },
]

export function DryRun({ rule: { id } }: { rule: AutomationRule }) {
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const look = useCommand((_: null) => api.post('/v1/automation-rules/{id}/dry-run', { path: { id } }), {
    onDone: ({ data }) => setFound(data.data),
  })
  return (
    <Card title={words.dryRun} hint={words.dryRunHint}>
      <Stack>
        <Group gap="sm">
          <Button icon="search" isRunning={look.isRunning} onClick={() => look.run(null)}>
            {words.dryRunAction}
          </Button>
          <CurlView method="post" path={`/v1/automation-rules/${id}/dry-run`} />
        </Group>
        {look.error !== null && <ProblemNote error={look.error} onTryAgain={() => look.run(null)} />}
        <div aria-live="polite">
          {found !== null && found.length === 0 && <Text size="sm">{words.dryRunNone}</Text>}
          {found !== null && found.length > 0 && (
            <DataTable
              caption={words.dryRunCaption}
              columns={columns}
              rows={found}
              keyOf={({ subject_id: subject }) => subject}
            />
          )}
        </div>
      </Stack>
    </Card>
  )
}

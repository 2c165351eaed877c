// The apps that people have allowed to act here, and their end.
import { roleAllows } from '@wds/contracts/roles'
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { AppLogo } from '../../components/app-logo.tsx'
import { AskFirst } from '../../components/ask-first.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ScopeList } from '../../components/scope-list.tsx'
import { Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { connectedAppTexts as words } from '../../texts/connected-apps.ts'
import { texts } from '../../texts.ts'
import { EndAll } from './end-all.tsx'

type ConnectedApp = Schemas['ConnectedApp']

const nameOf = ({ app }: ConnectedApp) => app.name ?? words.deleted
const personOf = ({ user }: ConnectedApp) => user.name ?? words.formerPerson

export function ConnectedAppsPage() {
  const { role } = useSession()
  const list = useList('/v1/connected-apps', {}, { pace: 'slow' })
  const [ending, setEnding] = useState<ConnectedApp | null>(null)
  const rows = list.rows ?? []
  return (
    <Page
      title={texts.nav.connectedApps}
      lead={roleAllows(role, 'manage_grants') ? words.lead : words.leadOwn}
      actions={
        rows.length > 0 && <EndAll count={list.hasMore ? words.atLeast(rows.length) : words.grants(rows.length)} />
      }
    >
      <Loaded source={{ ...list, data: list.rows }}>
        {(shown) => (
          <Card isPadded={false}>
            {shown.length === 0 ? (
              <EmptyState icon="link" title={words.none} text={words.noneText} />
            ) : (
              <DataTable caption={words.caption} columns={columnsWith(setEnding)} rows={shown} keyOf={({ id }) => id} />
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      {ending !== null && <EndOne grant={ending} onClose={() => setEnding(null)} />}
    </Page>
  )
}

function EndOne({ grant, onClose }: { grant: ConnectedApp; onClose: () => void }) {
  return (
    <AskFirst
      title={words.endTitle(nameOf(grant))}
      action={words.end}
      about={words.endText(nameOf(grant), personOf(grant))}
      done={words.ended}
      isDangerous
      body={{ id: grant.id }}
      send={(path) => api.delete('/v1/connected-apps/{id}', { path })}
      invalidates={['/v1/connected-apps', '/v1/oauth-apps']}
      onClose={onClose}
    />
  )
}

const columnsWith = (onEnd: (grant: ConnectedApp) => void): readonly Column<ConnectedApp>[] => [
  {
    title: words.app,
    cell: (grant) => (
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <AppLogo src={grant.app.logo_path} name={nameOf(grant)} />
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {nameOf(grant)}
          </Text>
          {grant.app.owner_workspace !== null && (
            <Text size="xs" c="dimmed">
              {words.by(grant.app.owner_workspace)}
            </Text>
          )}
        </Stack>
      </Group>
    ),
  },
  {
    title: words.person,
    cell: (grant) => (
      <Stack gap={2}>
        <Text size="sm">{personOf(grant)}</Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={grant.created} />
        </Text>
      </Stack>
    ),
  },
  { title: words.scopes, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
  { title: words.lastUsed, cell: ({ last_used }) => <RelativeTime at={last_used} />, isNarrow: true },
  {
    title: words.end,
    isTitleHidden: true,
    isNarrow: true,
    cell: (grant) => (
      <Button size="xs" label={words.endOf(nameOf(grant))} onClick={() => onEnd(grant)}>
        {words.end}
      </Button>
    ),
  },
]

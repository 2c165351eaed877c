// Who works here, the open invitations, and what each role may do.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { memberTexts as words } from '../../texts/members.ts'
import { texts } from '../../texts.ts'
import { mayChange } from '../../view-models/members.ts'
import { ChangeRole } from './change-role.tsx'
import { Invitations } from './invitations.tsx'
import type { Member } from './member.ts'
import { RemoveMember } from './remove-member.tsx'
import { RoleTable } from './role-table.tsx'

type Asking = { what: 'role' | 'remove'; member: Member } | null

export function MembersPage() {
  const { user, role } = useSession()
  const list = useList('/v1/members', {}, { pace: 'slow' })
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const columns: readonly Column<Member>[] = [
    {
      title: words.name,
      cell: ({ user: { id, name, email } }) => (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {name} {id === user.id && `(${words.you})`}
          </Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </Stack>
      ),
    },
    { title: words.role, cell: (member) => texts.role[member.role], isNarrow: true },
    { title: words.joined, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
    {
      title: words.change,
      isTitleHidden: true,
      isNarrow: true,
      cell: (member) => {
        const gate = mayChange(role, member.role) ? null : words.ownersOnly
        const { name } = member.user
        const ask = (what: 'role' | 'remove') => () => setAsking({ what, member })
        return (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <Button size="xs" label={words.changeOf(name)} disabledBecause={gate} onClick={ask('role')}>
              {words.change}
            </Button>
            <Button size="xs" label={words.removeOf(name)} disabledBecause={gate} onClick={ask('remove')}>
              {words.remove}
            </Button>
          </Group>
        )
      },
    },
  ]
  return (
    <Page title={texts.nav.members} lead={words.lead}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card title={words.members} isPadded={false}>
            <DataTable caption={words.members} columns={columns} rows={rows} keyOf={({ id }) => id} />
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <Invitations />
      <RoleTable />
      {asking?.what === 'role' && <ChangeRole member={asking.member} onClose={close} />}
      {asking?.what === 'remove' && <RemoveMember member={asking.member} onClose={close} />}
    </Page>
  )
}

// The open invitations, and a new one, whose link is shown once.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Text } from '../../components/text.ts'
import { useCommand, useRead } from '../../queries.ts'
import { memberTexts as words } from '../../texts/members.ts'
import { texts } from '../../texts.ts'
import { InviteDialog } from './invite-dialog.tsx'

type Invitation = Schemas['Invitation']

const whoOf = ({ name, email }: Invitation) => name ?? email ?? words.anybody

export function Invitations() {
  const [isInviting, setInviting] = useState(false)
  const reading = useRead('/v1/members/invitations', {}, { pace: 'slow' })
  const revoke = useCommand((id: string) => api.delete('/v1/members/invitations/{id}', { path: { id } }), {
    invalidates: ['/v1/members/invitations'],
    onDone: () => announce(words.revoked),
  })
  const columns: readonly Column<Invitation>[] = [
    { title: words.for, cell: whoOf },
    { title: words.role, cell: ({ role }) => texts.role[role], isNarrow: true },
    { title: words.made, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
    { title: words.expires, cell: ({ expires }) => <RelativeTime at={expires} />, isNarrow: true },
    {
      title: words.revoke,
      isTitleHidden: true,
      isNarrow: true,
      cell: (invitation) => (
        <Button size="xs" label={words.revokeOf(whoOf(invitation))} onClick={() => revoke.run(invitation.id)}>
          {words.revoke}
        </Button>
      ),
    },
  ]
  const invite = (
    <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
      {words.invite}
    </Button>
  )
  return (
    <Card title={words.invitations} actions={invite} isPadded={false}>
      {revoke.error !== null && <ProblemNote error={revoke.error} takesFocus />}
      <Loaded source={reading} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed" px="md" pb="md">
              {words.noInvitations}
            </Text>
          ) : (
            <DataTable caption={words.invitations} columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Card>
  )
}

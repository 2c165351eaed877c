// Invites somebody: role, for whom, then the link once.

import type { OptionsOf } from '@wds/api-client/operations'
import type { Role } from '@wds/contracts/roles'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { TextInput } from '../../components/fields.ts'
import { Stack } from '../../components/layout.ts'
import { Radio } from '../../components/radio.ts'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { memberTexts as words } from '../../texts/members.ts'
import { texts } from '../../texts.ts'
import { faultOf, stillWrong } from '../../view-models/faults.ts'
import { rolesToGive } from '../../view-models/members.ts'

const empty = { role: 'member' as Role, email: '', name: '' }

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { role: own } = useSession()
  const [draft, setDraft] = useState(empty)
  const [link, setLink] = useState<string | null>(null)
  const invite = useCommand(
    ({ role, email, name }: typeof empty, { idempotencyKey }) =>
      api.post('/v1/members/invitations', {
        body: withoutUndefined<OptionsOf<'/v1/members/invitations', 'post'>['body']>({
          role,
          email: email.trim() === '' ? undefined : email.trim(),
          name: name.trim() === '' ? undefined : name.trim(),
        }),
        idempotencyKey,
      }),
    {
      invalidates: ['/v1/members/invitations'],
      onDone: ({ data }) => {
        setLink(data.link)
        setDraft(empty)
        onClose()
      },
    },
  )
  const error = stillWrong(invite.error, invite.sent, draft)
  const close = () => {
    invite.reset()
    onClose()
  }
  const done = () => {
    // The answer holds the link: nothing keeps it behind the dialog.
    setLink(null)
    invite.reset()
  }
  return (
    <>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={words.inviteTitle}
        action={words.invite}
        isDangerous={false}
        isRunning={invite.isRunning}
        error={error}
        onConfirm={() => invite.run(draft)}
      >
        <Radio.Group
          label={words.role}
          value={draft.role}
          onChange={(role) => setDraft({ ...draft, role: role as Role })}
        >
          <Stack gap="xs" pt={4}>
            {rolesToGive(own).map((role) => (
              <Radio key={role} value={role} label={texts.role[role]} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={words.email}
          description={words.emailHint}
          type="email"
          autoComplete="off"
          value={draft.email}
          error={faultOf(error, '/email')}
          onChange={(event) => setDraft({ ...draft, email: event.currentTarget.value })}
        />
        <TextInput
          label={words.personName}
          autoComplete="off"
          value={draft.name}
          error={faultOf(error, '/name')}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
      </ConfirmDialog>
      <SecretOnce secret={link} title={words.linkTitle} what={words.link} onDone={done}>
        <Text size="sm">{words.linkHint}</Text>
      </SecretOnce>
    </>
  )
}

// Gives a member another role, and says what the person loses with it.
import type { Role } from '@wds/contracts/roles'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Radio } from '../../components/radio.ts'
import { useCommand } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { memberTexts as words } from '../../texts/members.ts'
import { texts } from '../../texts.ts'
import { rolesToGive } from '../../view-models/members.ts'
import { Losses } from './losses.tsx'
import type { Member } from './member.ts'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const session = useSession()
  const [role, setRole] = useState<Role>(member.role)
  const change = useCommand(
    (next: Role) => api.patch('/v1/members/{id}', { path: { id: member.id }, body: { role: next } }),
    {
      // One's own role is that of the session.
      invalidates: ['/v1/members', ...(member.user.id === session.user.id ? ['session'] : [])],
      onDone: () => {
        onClose()
        announce(words.changed)
      },
    },
  )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.changeTitle(member.user.name)}
      action={words.change}
      isDangerous={false}
      isRunning={change.isRunning}
      error={change.error}
      onConfirm={() => (role === member.role ? onClose() : change.run(role))}
    >
      <Radio.Group label={words.newRole} value={role} onChange={(value) => setRole(value as Role)}>
        <Stack gap="xs" pt={4}>
          {rolesToGive(session.role).map((one) => (
            <Radio key={one} value={one} label={texts.role[one]} />
          ))}
        </Stack>
      </Radio.Group>
      {role !== member.role && <Losses member={member} next={role} />}
    </ConfirmDialog>
  )
}

// Removes a member: what ends is counted, and the keys that the person made can be revoked with it.
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Checkbox } from '../../components/choices.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand, useList } from '../../queries.ts'
import { memberTexts as words } from '../../texts/members.ts'
import { maskedKey } from '../../view-models/api-key-draft.ts'
import { Losses } from './losses.tsx'
import type { Member } from './member.ts'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { name, id: creator } = member.user
  const keys = useList('/v1/api-keys', { query: { creator, limit: 100 } }).rows?.filter(
    ({ status }) => status === 'live',
  )
  const [chosen, setChosen] = useState<readonly string[]>([])
  // Tried again, what is revoked already is left out.
  const revoked = useRef(new Set<string>())
  const remove = useCommand(
    async (ids: readonly string[]) => {
      for (const id of ids) {
        if (!revoked.current.has(id)) await api.delete('/v1/api-keys/{id}', { path: { id } })
        revoked.current.add(id)
      }
      return await api.delete('/v1/members/{id}', { path: { id: member.id } })
    },
    {
      invalidates: ['/v1/members', '/v1/api-keys', '/v1/connected-apps'],
      onDone: () => {
        onClose()
        announce(words.removed)
      },
    },
  )
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle(name)}
      action={words.removeOf(name)}
      typed={name}
      isRunning={remove.isRunning}
      error={remove.error}
      onConfirm={() => remove.run(chosen)}
    >
      <Text size="sm">{words.removeText(name)}</Text>
      <Losses member={member} next={null} isEnding={remove.isRunning} />
      {keys !== undefined && keys.length > 0 && (
        <Checkbox.Group label={words.keys} description={words.keysHint} value={[...chosen]}>
          <Stack gap="xs" pt="xs">
            {keys.map((key) => (
              <Checkbox
                key={key.id}
                value={key.id}
                label={key.name}
                description={maskedKey(key)}
                onChange={() => toggle(key.id)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </ConfirmDialog>
  )
}

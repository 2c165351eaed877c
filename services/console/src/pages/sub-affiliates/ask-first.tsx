// What is asked before a sub-affiliate is invited again, suspended, reactivated or removed.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Checkbox } from '../../components/choices.ts'
import { ChooseOne } from '../../components/choose-one.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { moneyText } from '../../view-models/numbers.ts'
import type { SubAffiliate, SubAffiliateAction } from '../../view-models/payouts.ts'

type Action = Exclude<SubAffiliateAction, 'pay'>

interface Wish {
  suspend: keyof typeof words.suspendReasons
  remove: keyof typeof words.removeReasons
  isWrittenOff: boolean
}

interface AskFirstProps {
  partner: SubAffiliate
  etag: string | null
  action: Action
  onClose: () => void
  /** Of an invitation. */
  onLink: (link: string) => void
}

export function AskFirst({ partner, etag, action, onClose, onLink }: AskFirstProps) {
  const [wish, setWish] = useState<Wish>({ suspend: 'fraud_review', remove: 'left', isWrittenOff: false })
  const command = useCommand((given: Wish, o) => send(partner, action, given, { ...o, etag }), {
    invalidates: ['/v1/sub-affiliates', '/v1/payouts'],
    onDone: ({ data }) => {
      announce(words.done[action])
      if (data.invitation_url !== undefined) onLink(data.invitation_url)
      onClose()
    },
  })
  const { available, pending, currency } = partner.balance
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.titles[action]}
      action={words.actions[action]}
      isDangerous={action === 'remove'}
      isRunning={command.isRunning}
      error={command.error}
      onConfirm={() => command.run(wish)}
    >
      <Text size="sm">{words.about[action]}</Text>
      {action === 'suspend' && (
        <ChooseOne
          label={words.reason}
          words={words.suspendReasons}
          value={wish.suspend}
          onChange={(suspend) => setWish({ ...wish, suspend })}
        />
      )}
      {action === 'remove' && (
        <ChooseOne
          label={words.reason}
          words={words.removeReasons}
          value={wish.remove}
          onChange={(remove) => setWish({ ...wish, remove })}
        />
      )}
      {action === 'remove' && available + pending !== 0 && (
        <Checkbox
          label={words.writeOff(moneyText(available + pending, currency))}
          checked={wish.isWrittenOff}
          onChange={({ currentTarget: { checked: isWrittenOff } }) => setWish({ ...wish, isWrittenOff })}
        />
      )}
    </ConfirmDialog>
  )
}

function send(
  { id }: SubAffiliate,
  action: Action,
  wish: Wish,
  { idempotencyKey, etag }: { idempotencyKey: string; etag: string | null },
) {
  const options = { path: { id }, idempotencyKey, ...(etag === null ? {} : { ifMatch: etag }) }
  switch (action) {
    case 'invite':
      return api.post('/v1/sub-affiliates/{id}/invite', options)
    case 'suspend':
      return api.post('/v1/sub-affiliates/{id}/suspend', { ...options, body: { reason: wish.suspend } })
    case 'reactivate':
      return api.post('/v1/sub-affiliates/{id}/reactivate', options)
    case 'remove': {
      const body = { reason: wish.remove, ...(wish.isWrittenOff ? { write_off: true } : {}) }
      return api.post('/v1/sub-affiliates/{id}/remove', { ...options, body })
    }
  }
}

// What is done with a sub-affiliate. The link of an invitation is shown once.
import { useState } from 'react'
import { ActionButtons } from '../../components/ask-first.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { type SubAffiliate, type SubAffiliateAction, subAffiliateActions } from '../../view-models/payouts.ts'
import { ChangeState } from './change-state.tsx'
import { SchedulePayout } from './schedule-payout.tsx'

const icons = {
  pay: 'cash',
  invite: 'send',
  suspend: 'pause',
  reactivate: 'play',
  remove: 'trash',
} as const satisfies Record<SubAffiliateAction, string>

export function SubAffiliateActions({ partner, etag }: { partner: SubAffiliate; etag: string | null }) {
  const [link, setLink] = useState<string | null>(null)
  const actions = subAffiliateActions(partner)
  const [first] = actions
  return (
    <>
      <ActionButtons
        actions={actions}
        words={words.actions}
        icons={icons}
        primary={first === 'remove' ? undefined : first}
      >
        {(action, onClose) =>
          action === 'pay' ? (
            <SchedulePayout partner={partner} onClose={onClose} />
          ) : (
            <ChangeState {...{ partner, etag, action, onClose }} key={action} onLink={setLink} />
          )
        }
      </ActionButtons>
      <SecretOnce secret={link} title={words.linkTitle} what={words.link} onDone={() => setLink(null)} />
    </>
  )
}

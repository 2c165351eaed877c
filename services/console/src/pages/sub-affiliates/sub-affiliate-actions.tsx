// What is done with a sub-affiliate. The link of an invitation is shown once.
import { useState } from 'react'
import { ActionButtons } from '../../components/ask-first.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { type SubAffiliate, type SubAffiliateAction, subAffiliateActions } from '../../view-models/sub-affiliates.ts'
import { AdjustBalance } from './adjust-balance.tsx'
import { ChangePlan } from './change-plan.tsx'
import { ChangeState } from './change-state.tsx'
import { SchedulePayout } from './schedule-payout.tsx'

const icons = {
  pay: 'cash',
  invite: 'send',
  withdraw: 'ban',
  plan: 'percent',
  adjust: 'edit',
  suspend: 'pause',
  reactivate: 'play',
  remove: 'trash',
} as const satisfies Record<SubAffiliateAction, string>

export function SubAffiliateActions({ subAffiliate, etag }: { subAffiliate: SubAffiliate; etag: string | null }) {
  const [link, setLink] = useState<string | null>(null)
  const actions = subAffiliateActions(subAffiliate)
  const primary = actions.find((action) => action === 'pay' || action === 'invite' || action === 'reactivate')
  const ask = (action: SubAffiliateAction, onClose: () => void) => {
    const asked = { subAffiliate, etag, onClose }
    if (action === 'pay') return <SchedulePayout {...asked} />
    if (action === 'plan') return <ChangePlan {...asked} />
    if (action === 'adjust') return <AdjustBalance {...asked} />
    return <ChangeState {...asked} key={action} action={action} onLink={setLink} />
  }
  return (
    <>
      <ActionButtons actions={actions} words={words.actions} icons={icons} primary={primary}>
        {ask}
      </ActionButtons>
      <SecretOnce secret={link} title={words.linkTitle} what={words.link} onDone={() => setLink(null)} />
    </>
  )
}

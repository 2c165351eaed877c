// What is done with a sub-affiliate; each asks first, in a dialog of its own. The link of an invitation is shown once.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Group } from '../../components/layout.ts'
import { SecretOnce } from '../../components/secret-once.tsx'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { type SubAffiliate, type SubAffiliateAction, subAffiliateActions } from '../../view-models/payouts.ts'
import { AskFirst } from './ask-first.tsx'
import { SchedulePayout } from './schedule-payout.tsx'

const icons = {
  pay: 'cash',
  invite: 'send',
  suspend: 'pause',
  reactivate: 'play',
  remove: 'trash',
} as const satisfies Record<SubAffiliateAction, string>

export function SubAffiliateActions({ partner, etag }: { partner: SubAffiliate; etag: string | null }) {
  const [asking, setAsking] = useState<SubAffiliateAction | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const close = () => setAsking(null)
  const actions = subAffiliateActions(partner)
  return (
    <>
      {actions.length > 0 && (
        <Group gap="sm">
          {actions.map((action, at) => (
            <Button
              key={action}
              look={at === 0 && action !== 'remove' ? 'primary' : 'quiet'}
              icon={icons[action]}
              onClick={() => setAsking(action)}
            >
              {words.actions[action]}
            </Button>
          ))}
        </Group>
      )}
      {asking === 'pay' && <SchedulePayout partner={partner} onClose={close} />}
      {asking !== null && asking !== 'pay' && (
        <AskFirst partner={partner} etag={etag} action={asking} key={asking} onClose={close} onLink={setLink} />
      )}
      <SecretOnce secret={link} title={words.linkTitle} what={words.link} onDone={() => setLink(null)} />
    </>
  )
}

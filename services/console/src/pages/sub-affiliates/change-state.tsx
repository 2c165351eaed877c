// What is asked before a sub-affiliate is invited again, suspended, reactivated or removed, or its invitation withdrawn, which removes it, too.
import type { OptionsOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { Checkbox } from '../../components/choices.ts'
import { ChooseOne } from '../../components/choose-one.tsx'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { owedTo, type SubAffiliate, type SubAffiliateAction } from '../../view-models/sub-affiliates.ts'

type Action = Exclude<SubAffiliateAction, 'pay' | 'plan' | 'adjust'>

interface Wish {
  suspend: keyof typeof words.suspendReasons
  remove: keyof typeof words.removeReasons
  isWrittenOff: boolean
}

interface ChangeStateProps {
  subAffiliate: SubAffiliate
  etag: string | null
  action: Action
  onClose: () => void
  /** Of an invitation. */
  onLink: (link: string) => void
}

export function ChangeState({ subAffiliate, etag, action, onClose, onLink }: ChangeStateProps) {
  const [wish, setWish] = useState<Wish>({ suspend: 'fraud_review', remove: 'left', isWrittenOff: false })
  const owed = owedTo(subAffiliate)
  const isEnd = action === 'remove' || action === 'withdraw'
  return (
    <AskFirst
      title={words.titles[action]}
      action={words.actions[action]}
      about={words.about[action]}
      done={words.done[action]}
      isDangerous={isEnd}
      etag={etag}
      body={wish}
      send={(given, o) => send(subAffiliate, action, given, o)}
      invalidates={['/v1/sub-affiliates', '/v1/payouts']}
      onDone={({ data }) => data.invitation_url !== undefined && onLink(data.invitation_url)}
      onClose={onClose}
    >
      {() => (
        <>
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
          {isEnd && owed !== 0 && (
            <Checkbox
              label={words.writeOff(moneyText(owed, subAffiliate.payout_currency))}
              checked={wish.isWrittenOff}
              onChange={({ currentTarget: { checked: isWrittenOff } }) => setWish({ ...wish, isWrittenOff })}
            />
          )}
        </>
      )}
    </AskFirst>
  )
}

function send({ id }: SubAffiliate, action: Action, wish: Wish, o: { idempotencyKey: string; ifMatch?: string }) {
  const options = { path: { id }, ...o }
  switch (action) {
    case 'invite':
      return api.post('/v1/sub-affiliates/{id}/invite', options)
    case 'suspend':
      return api.post('/v1/sub-affiliates/{id}/suspend', { ...options, body: { reason: wish.suspend } })
    case 'reactivate':
      return api.post('/v1/sub-affiliates/{id}/reactivate', options)
    case 'withdraw':
    case 'remove': {
      const reason = action === 'withdraw' ? 'other' : wish.remove
      const body = withoutUndefined<OptionsOf<'/v1/sub-affiliates/{id}/remove', 'post'>['body']>({
        reason,
        write_off: wish.isWrittenOff ? true : undefined,
      })
      return api.post('/v1/sub-affiliates/{id}/remove', { ...options, body })
    }
  }
}

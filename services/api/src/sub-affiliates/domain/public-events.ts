// Decides what others are told of a sub-affiliate (domain.md 5.36 to 5.41, 5.45). Who it is they are never told.
import type { PublicEvent } from '@wds/contracts/envelope'
import { planOf, type SubAffiliateEvent, type SubAffiliateState } from './sub-affiliate.ts'

/** Announcement of a sub-affiliate's event, or null. `state` is the state after all events of the command. */
export function subAffiliatePublicEvent(
  id: string,
  state: SubAffiliateState,
  event: SubAffiliateEvent,
): PublicEvent | null {
  if (state.fields === null) throw new Error('a sub-affiliate without fields')
  const { country } = state.fields
  const plan_id = planOf(state.fields)
  const about = { sub_affiliate_id: id }
  switch (event.type) {
    case 'SubAffiliateInvited':
    case 'SubAffiliateInvitedAgain': {
      const data = { ...about, plan_id, expires: instantOf(event.data.expires_ms) }
      return { type: 'sub_affiliate.invited', onceKey: null, data }
    }
    case 'SubAffiliateAdded':
    case 'SubAffiliateJoined': {
      const data = { ...about, plan_id, country, joined: instantOf(event.data.at_ms) }
      return { type: 'sub_affiliate.joined', onceKey: id, data }
    }
    case 'InvitationExpired':
      return null
    case 'SubAffiliateUpdated': {
      const { changed } = event.data
      return { type: 'sub_affiliate.updated', onceKey: null, data: { ...about, changed } }
    }
    case 'PlanChanged': {
      const { plan, previous_plan_id } = event.data
      return { type: 'sub_affiliate.plan_changed', onceKey: null, data: { ...about, ...plan, previous_plan_id } }
    }
    case 'SubAffiliateSuspended':
      return { type: 'sub_affiliate.suspended', onceKey: null, data: { ...about, reason: event.data.reason } }
    case 'SubAffiliateReactivated':
      return { type: 'sub_affiliate.reactivated', onceKey: null, data: about }
    case 'SubAffiliateRemoved':
      return { type: 'sub_affiliate.removed', onceKey: id, data: { ...about, reason: event.data.reason } }
  }
}

const instantOf = (ms: number) => new Date(ms).toISOString()

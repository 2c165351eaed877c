// Declares the events of sub-affiliates and their payouts (domain.md 5.36 to 5.45). They hold no personal data.
import type { EventDeclaration } from './declaration.ts'

const readScope = ['invoices:read'] as const

export const subAffiliateEvents = {
  'sub_affiliate.invited': {
    meaning: 'A sub-affiliate was invited.',
    data: { sub_affiliate_id: 'id sub', plan_id: 'id pln', expires: 'ts' },
    oncePer: 'invitation',
    readScope,
    volume: 'low',
  },
  'sub_affiliate.joined': {
    meaning: 'A sub-affiliate accepted and is active.',
    data: { sub_affiliate_id: 'id sub', plan_id: 'id pln', country: 'str?', joined: 'ts' },
    oncePer: 'sub-affiliate',
    readScope,
    volume: 'low',
  },
  'sub_affiliate.updated': {
    meaning: 'The profile of a sub-affiliate changed.',
    data: { sub_affiliate_id: 'id sub', changed: '[str]' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { changed: ['time_zone'] },
  },
  'sub_affiliate.plan_changed': {
    meaning: 'A sub-affiliate has another commission plan from a date.',
    data: { sub_affiliate_id: 'id sub', plan_id: 'id pln', previous_plan_id: 'id pln', effective_from: 'date' },
    oncePer: 'change',
    readScope,
    volume: 'low',
  },
  'sub_affiliate.suspended': {
    meaning: 'Payouts of a sub-affiliate are held.',
    data: { sub_affiliate_id: 'id sub', reason: 'str fraud_review|inactivity|request|other' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { reason: 'inactivity' },
  },
  'sub_affiliate.reactivated': {
    meaning: 'A suspended sub-affiliate is active again.',
    data: { sub_affiliate_id: 'id sub' },
    oncePer: 'version',
    readScope,
    volume: 'low',
  },
  'sub_affiliate.payout_scheduled': {
    meaning: 'A payout was planned.',
    data: {
      sub_affiliate_id: 'id sub',
      payout_id: 'id pyo',
      amount: 'int',
      currency: 'cur',
      scheduled_for: 'date',
    },
    oncePer: 'payout',
    readScope,
    volume: 'low',
    example: { amount: 84_250 },
  },
  'sub_affiliate.paid': {
    meaning: 'A payout was done.',
    data: {
      sub_affiliate_id: 'id sub',
      payout_id: 'id pyo',
      amount: 'int',
      currency: 'cur',
      period_from: 'date',
      period_to: 'date',
      paid: 'ts',
    },
    oncePer: 'payout',
    readScope,
    volume: 'low',
    example: { amount: 84_250 },
  },
  'sub_affiliate.payout_failed': {
    meaning: 'A payout was refused or returned.',
    data: {
      sub_affiliate_id: 'id sub',
      payout_id: 'id pyo',
      amount: 'int',
      currency: 'cur',
      failure_code: 'str method_rejected|details_missing|limit|returned|other',
    },
    oncePer: 'payout',
    readScope,
    volume: 'low',
    example: { amount: 84_250 },
  },
  'sub_affiliate.removed': {
    meaning: 'A sub-affiliate left or was removed.',
    data: { sub_affiliate_id: 'id sub', reason: 'str left|terminated|other' },
    oncePer: 'sub-affiliate',
    readScope,
    volume: 'low',
    example: { reason: 'left' },
  },
} as const satisfies Record<string, EventDeclaration>

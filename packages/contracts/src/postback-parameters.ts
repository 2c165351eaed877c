// Declares what a network may say of a conversion, in the order in which it is told (domain.md 4.3).

/** The parameters of a postback; no other is read. */
export const postbackParameters = [
  'event',
  'tx_id',
  'ts',
  'campaign',
  'sub_id',
  'country',
  'currency',
  'amount',
  'commission',
  'kind',
] as const
export type PostbackParameter = (typeof postbackParameters)[number]

// Texts of an integration that a network calls.

export const postbackTexts = {
  title: 'Address for postbacks',
  hint: 'The network calls it for each conversion. Who knows it can add conversions to this integration, and nothing else.',
  address: (fingerprint: string) =>
    `An address is set (${fingerprint}). It is never shown again; rotate it to get another one.`,
  append: 'What the network appends',
  appendHint: 'Put the macros of the network in place of the braces. Parameters that are not in the table are ignored.',
  table: 'Parameters of a postback',
  parameter: 'Parameter',
  meaning: 'What to send',
  meanings: {
    event: 'Needed: click, signup, ftd, qualified_ftd, deposit, chargeback, commission, or a word of event_map.',
    tx_id: 'Needed: the id that the network gave the conversion. The first one of each event counts.',
    ts: 'When it happened: ISO 8601 or seconds since 1970. Without it, now. At most 45 days back.',
    campaign: 'The campaign or offer, by the id of the network.',
    sub_id: 'The sub-affiliate, by its id.',
    country: 'Two letters, such as DE.',
    currency: 'Such as EUR. Without it, that of the integration.',
    amount: 'Of ftd, deposit and chargeback, such as 12.50.',
    commission: 'Of qualified_ftd and commission. It may be negative.',
    kind: 'The word other, for a commission that is no revenue share.',
  },
  made: 'Your address for postbacks',
  secret: 'address for postbacks',
  overlaps: [{ value: 24, label: 'After 24 hours' }],
  rotation: {
    action: 'Rotate address',
    title: 'Rotate the address for postbacks',
    text: 'A new address is made and shown once. The present one is good for 24 hours more, so that the network can change over without losing a conversion. One that was rotated before ends at once: after a leak, rotate twice.',
    overlap: 'The present address ends',
    made: 'Your new address for postbacks',
    secret: 'address for postbacks',
  },
} as const

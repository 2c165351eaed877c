// Texts of filters that more than one list has.
export const filterTexts = {
  type: 'Event type',
  anyType: 'Any type',
  since: 'From',
  until: 'To',
  chips: {
    type: (value: string) => `type: ${value}`,
    since: (value: string) => `from: ${value}`,
    until: (value: string) => `to: ${value}`,
  },
} as const

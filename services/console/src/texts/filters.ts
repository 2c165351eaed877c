// Texts of filters that more than one list has.
import { exactTimes } from '../view-models/relative-time.ts'

export const filterTexts = {
  type: 'Event type',
  anyType: 'Any type',
  since: 'From',
  until: 'To',
  chips: {
    type: (value: string) => `type: ${value}`,
    since: (value: string) => `from: ${exactTimes(Date.parse(value)).local}`,
    until: (value: string) => `to: ${exactTimes(Date.parse(value)).local}`,
  },
} as const

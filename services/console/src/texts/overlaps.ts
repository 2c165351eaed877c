// When the present secret ends, once there is a new one.

/** Of keys and of the secrets of apps. */
export const overlapsInHours = [
  { value: 0, label: 'now' },
  { value: 1, label: 'in 1 hour' },
  { value: 24, label: 'in 24 hours' },
  { value: 72, label: 'in 72 hours' },
] as const

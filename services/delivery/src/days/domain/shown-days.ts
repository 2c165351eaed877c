// How long events are shown and can be replayed (delivery.md 3). Stored they are for longer: retention is in days/store.ts.

/** UTC days, today included. */
export const shownDays = 30

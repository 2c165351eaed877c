// Decides the bounds of an invitation (domain.md 3.8).

/** From when it is made until its link leads nowhere. */
export const invitationMs = 14 * 86_400_000

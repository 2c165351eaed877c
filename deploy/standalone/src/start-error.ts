/** A start that cannot go on: one clear sentence for the person at the terminal. */
export class StartError extends Error {}

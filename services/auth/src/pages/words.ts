// What several pages say in the same words.

/** After too many failures of a sign-in, or of anything else that tells who has an account. */
export const tooManyFailures = 'There were too many failed attempts. Please wait 15 minutes, then try again.'

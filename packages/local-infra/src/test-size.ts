// How much a run of the suites does: nobody else reads WDS_FAULTS.

/** `full`, the nightly run: the long form of each suite, with the times that reliability.md 4 names. */
export const isFullRun = (): boolean => process.env.WDS_FAULTS === 'full'

/** `quick`: suites of the nightly run are there, too, in their short form, for whoever names one. */
export const isQuickRun = (): boolean => process.env.WDS_FAULTS === 'quick'

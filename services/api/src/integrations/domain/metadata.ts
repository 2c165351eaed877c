// Decides how many keys the metadata of any resource may have (domain.md 2): a merge patch can exceed it although each body keeps to it.

const keysMax = 20
const tooMany = { pointer: '/metadata', code: 'out_of_range', detail: `At most ${keysMax} keys.` } as const

export const metadataFaults = (metadata: object) => (Object.keys(metadata).length > keysMax ? [tooMany] : [])

// Decides how many keys the metadata of any resource may have (domain.md 2): a merge patch can exceed it although each body keeps to it.
import type { FieldFault } from '@wds/contracts/field-fault'

const keysMax = 20

export function metadataFaults(metadata: object): FieldFault[] {
  if (Object.keys(metadata).length <= keysMax) return []
  return [{ pointer: '/metadata', code: 'out_of_range', detail: `At most ${keysMax} keys.` }]
}

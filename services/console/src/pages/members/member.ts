// The shape that the pieces of the members page share.
import type { Schemas } from '../../api.ts'

export type Member = Schemas['Member']

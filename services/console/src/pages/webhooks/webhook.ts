// What every part of a subscription's pages speaks of.

import type { Schemas } from '../../api.ts'
import { useParam } from '../../page-params.ts'

export type Webhook = Schemas['Webhook']

/** Of the address of the page. */
export const useWebhookId = (): string => useParam('id')

// What every part of a subscription's pages speaks of.
import { useParams } from '@tanstack/react-router'
import type { Schemas } from '../../api.ts'

export type Webhook = Schemas['Webhook']

/** Of the address of the page. */
export const useWebhookId = (): string => (useParams({ strict: false }) as { id: string }).id

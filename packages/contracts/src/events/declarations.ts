// Puts the declared event types together, in the order of the event catalog (domain.md 5). It declares none itself.
import { automationEvents } from './automation.ts'
import { campaignEvents } from './campaign.ts'
import type { EventDeclaration } from './declaration.ts'
import { integrationEvents } from './integration.ts'
import { invoiceEvents } from './invoice.ts'
import { anomalyEvents, statsEvents } from './stats.ts'
import { subAffiliateEvents } from './sub-affiliate.ts'
import { syncEvents } from './sync.ts'
import { webhookEvents } from './webhook.ts'
import { importEvents, workspaceEvents } from './workspace.ts'

/** Every event type with its declaration. */
export const eventDeclarations = {
  ...syncEvents,
  ...integrationEvents,
  ...campaignEvents,
  ...statsEvents,
  ...anomalyEvents,
  ...invoiceEvents,
  ...subAffiliateEvents,
  ...automationEvents,
  ...webhookEvents,
  ...importEvents,
  ...workspaceEvents,
} as const satisfies Record<string, EventDeclaration>

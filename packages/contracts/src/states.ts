// Decides the words for states and their reasons: the same literal stands in code, column, JSON, metric label and badge.
// No state has an alias or a number (style.md 7).

/** States of a delivery (settled-points.md 3). */
export const deliveryStatuses = ['pending', 'retry', 'replay', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Why a delivery is dead (domain.md 3.13). */
export const deadReasons = ['attempts_exhausted', 'subscription_disabled', 'subscription_deleted'] as const
export type DeadReason = (typeof deadReasons)[number]

/** What became of an attempt; `started` while it is under way (domain.md 3.13). */
export const attemptOutcomes = ['started', 'succeeded', 'failed', 'unknown'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** Kinds of rows of the append-only delivery log (delivery.md 3). */
export const deliveryLogKinds = [
  'scheduled',
  'attempt_succeeded',
  'attempt_failed',
  'attempt_unknown',
  'attempt_released',
  'exhausted',
  'replay_requested',
  'ended',
] as const
export type DeliveryLogKind = (typeof deliveryLogKinds)[number]

/** States of a webhook subscription (domain.md 3.13). */
export const subscriptionStatuses = ['enabled', 'disabled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Why a subscription is disabled (domain.md 3.13, settled-points.md 7). */
export const disabledReasons = ['user', 'gone', 'failing', 'authorization_revoked'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** States of a bulk replay (domain.md 3.13). */
export const replayStatuses = ['queued', 'running', 'paused', 'completed', 'canceled', 'failed'] as const
export type ReplayStatus = (typeof replayStatuses)[number]

/** States of an integration (domain.md 3.2); `deleted` is never shown, the route answers 404. */
export const integrationStatuses = ['pending', 'active', 'broken', 'paused', 'deleted'] as const
export type IntegrationStatus = (typeof integrationStatuses)[number]

/** Why an integration is broken (domain.md 3.2); an open list, clients accept unknown values. */
export const brokenReasons = [
  'invalid_credentials',
  'access_denied',
  'source_gone',
  'schema_changed',
  'rate_limited',
  'timeout',
  'unreachable',
  'destination_not_allowed',
  'feed_too_large',
] as const
export type BrokenReason = (typeof brokenReasons)[number]

/** States of a sync run (domain.md 3.3). */
export const syncRunStatuses = ['queued', 'running', 'retry_wait', 'succeeded', 'failed', 'canceled'] as const
export type SyncRunStatus = (typeof syncRunStatuses)[number]

/** What started a sync run (domain.md 3.3). */
export const syncRunTriggers = ['schedule', 'manual', 'retry', 'backfill', 'upload'] as const
export type SyncRunTrigger = (typeof syncRunTriggers)[number]

/** States of a campaign (domain.md 3.4). */
export const campaignStatuses = ['draft', 'active', 'paused', 'archived'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** States of a day of stats (domain.md 7). */
export const statsDayStatuses = ['open', 'provisional', 'final'] as const
export type StatsDayStatus = (typeof statsDayStatuses)[number]

/** States of an invoice (domain.md 3.7). */
export const invoiceStatuses = ['draft', 'generated', 'sent', 'overdue', 'paid', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** States of a sub-affiliate (domain.md 3.8). */
export const subAffiliateStatuses = ['invited', 'expired', 'active', 'suspended', 'removed'] as const
export type SubAffiliateStatus = (typeof subAffiliateStatuses)[number]

/** States of a payout (domain.md 3.9). */
export const payoutStatuses = ['scheduled', 'processing', 'paid', 'failed', 'canceled'] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** States of an anomaly (domain.md 3.11). */
export const anomalyStatuses = ['open', 'acknowledged', 'resolved', 'dismissed'] as const
export type AnomalyStatus = (typeof anomalyStatuses)[number]

/** States of a firing (domain.md 3.10). */
export const firingStatuses = ['succeeded', 'partially_failed', 'failed', 'suppressed', 'simulated'] as const
export type FiringStatus = (typeof firingStatuses)[number]

/** States of an import (domain.md 3.12). */
export const importStatuses = ['queued', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** States of an export (domain.md 3.12). */
export const exportStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const
export type ExportStatus = (typeof exportStatuses)[number]

/** Plans of a workspace (settled-points.md 22). */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof plans)[number]

/** Roles of a member (settled-points.md 21). */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

// Holds the shape of every event's data. Generated from the declarations in events/ by `npm run generate`.
// It must never be edited by hand.

/**
 * Data of every event type, by its name.
 */
export interface EventData {
  'sync.started': SyncStarted
  'sync.completed': SyncCompleted
  'sync.attempt_failed': SyncAttemptFailed
  'sync.failed': SyncFailed
  'sync.canceled': SyncCanceled
  'sync.delayed': SyncDelayed
  'integration.created': IntegrationCreated
  'integration.updated': IntegrationUpdated
  'integration.broken': IntegrationBroken
  'integration.restored': IntegrationRestored
  'integration.paused': IntegrationPaused
  'integration.resumed': IntegrationResumed
  'integration.credentials_expired': IntegrationCredentialsExpired
  'integration.deleted': IntegrationDeleted
  'campaign.created': CampaignCreated
  'campaign.updated': CampaignUpdated
  'campaign.paused': CampaignPaused
  'campaign.resumed': CampaignResumed
  'campaign.archived': CampaignArchived
  'stats.daily_ready': StatsDailyReady
  'stats.restated': StatsRestated
  'stats.delayed': StatsDelayed
  'stats.monthly_closed': StatsMonthlyClosed
  'anomaly.detected': AnomalyDetected
  'anomaly.acknowledged': AnomalyAcknowledged
  'anomaly.resolved': AnomalyResolved
  'anomaly.dismissed': AnomalyDismissed
  'invoice.generated': InvoiceGenerated
  'invoice.updated': InvoiceUpdated
  'invoice.sent': InvoiceSent
  'invoice.partially_paid': InvoicePartiallyPaid
  'invoice.paid': InvoicePaid
  'invoice.overdue': InvoiceOverdue
  'invoice.disputed': InvoiceDisputed
  'invoice.voided': InvoiceVoided
  'sub_affiliate.invited': SubAffiliateInvited
  'sub_affiliate.joined': SubAffiliateJoined
  'sub_affiliate.updated': SubAffiliateUpdated
  'sub_affiliate.plan_changed': SubAffiliatePlanChanged
  'sub_affiliate.suspended': SubAffiliateSuspended
  'sub_affiliate.reactivated': SubAffiliateReactivated
  'sub_affiliate.payout_scheduled': SubAffiliatePayoutScheduled
  'sub_affiliate.paid': SubAffiliatePaid
  'sub_affiliate.payout_failed': SubAffiliatePayoutFailed
  'sub_affiliate.removed': SubAffiliateRemoved
  'automation.created': AutomationCreated
  'automation.updated': AutomationUpdated
  'automation.enabled': AutomationEnabled
  'automation.disabled': AutomationDisabled
  'automation.fired': AutomationFired
  'automation.failed': AutomationFailed
  'automation.deleted': AutomationDeleted
  'webhook.disabled': WebhookDisabled
  'webhook.enabled': WebhookEnabled
  'webhook.secret_rotated': WebhookSecretRotated
  'webhook.delivery_exhausted': WebhookDeliveryExhausted
  'webhook.tested': WebhookTested
  'import.completed': ImportCompleted
  'import.failed': ImportFailed
  'workspace.updated': WorkspaceUpdated
}
/**
 * The first attempt of a sync run began.
 */
export interface SyncStarted {
  integration_id: string
  sync_run_id: string
  brand_slug: string
  /**
   * Known values, others may follow: schedule, manual, retry, backfill, upload.
   */
  trigger: string
  window_from: string | null
  window_to: string | null
  /**
   * IANA time zone.
   */
  time_zone: string
}
/**
 * A sync run finished, regardless of success.
 */
export interface SyncCompleted {
  integration_id: string
  brand_slug: string
  status: 'success' | 'failed'
  rows_ingested: number
  duration_ms: number
}
/**
 * An attempt of a sync run failed; another follows.
 */
export interface SyncAttemptFailed {
  integration_id: string
  sync_run_id: string
  brand_slug: string
  attempt: number
  max_attempts: number
  error_code: string
  next_attempt: string
}
/**
 * A sync run failed after its retries.
 */
export interface SyncFailed {
  integration_id: string
  sync_run_id: string
  brand_slug: string
  /**
   * Known values, others may follow: failed.
   */
  status: string
  attempts: number
  error_code: string
  error_message: string
  duration_ms: number
}
/**
 * A sync run was canceled; no rows were stored.
 */
export interface SyncCanceled {
  integration_id: string
  sync_run_id: string
  brand_slug: string
  /**
   * Known values, others may follow: user, integration_paused, integration_deleted.
   */
  reason: string
}
/**
 * No sync run succeeded within twice the schedule.
 */
export interface SyncDelayed {
  integration_id: string
  brand_slug: string
  last_completed: string | null
  expected_every_minutes: number
}
/**
 * An integration was connected.
 */
export interface IntegrationCreated {
  integration_id: string
  name: string
  brand_slug: string
  provider: string
  /**
   * Known values, others may follow: pending, active.
   */
  status: string
}
/**
 * Settings or the status of an integration changed.
 */
export interface IntegrationUpdated {
  integration_id: string
  brand_slug: string
  /**
   * @maxItems 1000
   */
  changed: string[]
}
/**
 * An integration needs attention: its syncs fail.
 */
export interface IntegrationBroken {
  integration_id: string
  brand_slug: string
  /**
   * Known values, others may follow: invalid_credentials, access_denied, source_gone, schema_changed, rate_limited, timeout, unreachable, destination_not_allowed, feed_too_large.
   */
  reason: string
  consecutive_failures: number
  last_success: string | null
}
/**
 * A broken integration works again.
 */
export interface IntegrationRestored {
  integration_id: string
  brand_slug: string
  broken_since: string
  downtime_seconds: number
}
/**
 * An integration was paused.
 */
export interface IntegrationPaused {
  integration_id: string
  brand_slug: string
  /**
   * Known values, others may follow: user.
   */
  reason: string
}
/**
 * A paused integration was resumed.
 */
export interface IntegrationResumed {
  integration_id: string
  brand_slug: string
}
/**
 * The source refused the credentials, or they will expire soon.
 */
export interface IntegrationCredentialsExpired {
  integration_id: string
  brand_slug: string
  provider: string
  expires: string | null
}
/**
 * An integration was removed; its stats are kept.
 */
export interface IntegrationDeleted {
  integration_id: string
  brand_slug: string
}
/**
 * A campaign was added.
 */
export interface CampaignCreated {
  campaign_id: string
  integration_id: string
  brand_slug: string
  name: string
  /**
   * Known values, others may follow: draft, active.
   */
  status: string
  external_id: string
}
/**
 * Fields of a campaign changed.
 */
export interface CampaignUpdated {
  campaign_id: string
  brand_slug: string
  /**
   * @maxItems 1000
   */
  changed: string[]
}
/**
 * A campaign was paused by a user or a rule.
 */
export interface CampaignPaused {
  campaign_id: string
  brand_slug: string
  /**
   * Known values, others may follow: user, rule.
   */
  reason: string
  rule_id: string | null
}
/**
 * A paused campaign is active again.
 */
export interface CampaignResumed {
  campaign_id: string
  brand_slug: string
  /**
   * Known values, others may follow: user, rule.
   */
  reason: string
  rule_id: string | null
}
/**
 * A campaign was closed for good.
 */
export interface CampaignArchived {
  campaign_id: string
  brand_slug: string
}
/**
 * A day's rollup is done and its numbers are stable.
 */
export interface StatsDailyReady {
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
  revision: number
  complete: boolean
  /**
   * @maxItems 1000
   */
  integrations_included: string[]
  /**
   * @maxItems 1000
   */
  integrations_missing: string[]
  row_count: number
  checksum: string
}
/**
 * A day that was ready has changed.
 */
export interface StatsRestated {
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
  revision: number
  previous_revision: number
  /**
   * @maxItems 1000
   */
  brand_slugs: string[]
  /**
   * @maxItems 1000
   */
  metrics_changed: string[]
  largest_change_pct: number | null
  /**
   * Known values, others may follow: sync, settings.
   */
  cause: string
  sync_run_id: string | null
}
/**
 * A day is not stable by its deadline.
 */
export interface StatsDelayed {
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
  deadline: string
  /**
   * @maxItems 1000
   */
  waiting_for: string[]
}
/**
 * All days of a month are final; invoices may be made.
 */
export interface StatsMonthlyClosed {
  month: string
  /**
   * IANA time zone.
   */
  time_zone: string
  days: number
  revision_max: number
}
/**
 * A KPI left its baseline.
 */
export interface AnomalyDetected {
  anomaly_id: string
  metric: string
  brand_slug: string | null
  campaign_id: string | null
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
  observed: number
  expected: number | null
  lower: number | null
  upper: number | null
  /**
   * ISO 4217 currency code.
   */
  currency: string | null
  score: number | null
  /**
   * Known values, others may follow: spike, drop.
   */
  direction: string
  /**
   * Known values, others may follow: low, medium, high.
   */
  severity: string
}
/**
 * Someone took an anomaly on.
 */
export interface AnomalyAcknowledged {
  anomaly_id: string
  metric: string
  brand_slug: string | null
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
}
/**
 * An anomaly is back in its band, was restated away, or was closed by a user.
 */
export interface AnomalyResolved {
  anomaly_id: string
  metric: string
  brand_slug: string | null
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
  /**
   * Known values, others may follow: restated, recovered, user.
   */
  resolution: string
}
/**
 * An anomaly was marked as not being one.
 */
export interface AnomalyDismissed {
  anomaly_id: string
  metric: string
  brand_slug: string | null
  date: string
  /**
   * IANA time zone.
   */
  time_zone: string
  /**
   * Known values, others may follow: expected, data_error, not_useful, other.
   */
  reason: string
}
/**
 * An invoice got its number and no longer changes.
 */
export interface InvoiceGenerated {
  invoice_id: string
  number: string
  /**
   * Known values, others may follow: invoice, credit_note.
   */
  kind: string
  brand_slug: string
  period_from: string
  period_to: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  due: string
}
/**
 * Memo, metadata, due date or dispute of an invoice changed.
 */
export interface InvoiceUpdated {
  invoice_id: string
  number: string
  brand_slug: string
  /**
   * @maxItems 1000
   */
  changed: string[]
}
/**
 * An invoice was sent to the brand.
 */
export interface InvoiceSent {
  invoice_id: string
  number: string
  brand_slug: string
  /**
   * Known values, others may follow: manual, email, portal.
   */
  channel: string
}
/**
 * Part of the amount due was received.
 */
export interface InvoicePartiallyPaid {
  invoice_id: string
  number: string
  brand_slug: string
  amount: number
  amount_due: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
}
/**
 * The amount due reached 0.
 */
export interface InvoicePaid {
  invoice_id: string
  number: string
  brand_slug: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  paid: string
}
/**
 * The due date of an invoice passed unpaid.
 */
export interface InvoiceOverdue {
  invoice_id: string
  number: string
  brand_slug: string
  amount_due: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  due: string
  days_overdue: number
}
/**
 * The brand contests an invoice.
 */
export interface InvoiceDisputed {
  invoice_id: string
  number: string
  brand_slug: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  /**
   * Known values, others may follow: amount, period, quality, duplicate, other.
   */
  reason: string
}
/**
 * An invoice was made void.
 */
export interface InvoiceVoided {
  invoice_id: string
  number: string | null
  brand_slug: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  replaced_by: string | null
}
/**
 * A sub-affiliate was invited.
 */
export interface SubAffiliateInvited {
  sub_affiliate_id: string
  plan_id: string
  expires: string
}
/**
 * A sub-affiliate accepted and is active.
 */
export interface SubAffiliateJoined {
  sub_affiliate_id: string
  plan_id: string
  country: string | null
  joined: string
}
/**
 * The profile of a sub-affiliate changed.
 */
export interface SubAffiliateUpdated {
  sub_affiliate_id: string
  /**
   * @maxItems 1000
   */
  changed: string[]
}
/**
 * A sub-affiliate has another commission plan from a date.
 */
export interface SubAffiliatePlanChanged {
  sub_affiliate_id: string
  plan_id: string
  previous_plan_id: string
  effective_from: string
}
/**
 * Payouts of a sub-affiliate are held.
 */
export interface SubAffiliateSuspended {
  sub_affiliate_id: string
  /**
   * Known values, others may follow: fraud_review, inactivity, request, other.
   */
  reason: string
}
/**
 * A suspended sub-affiliate is active again.
 */
export interface SubAffiliateReactivated {
  sub_affiliate_id: string
}
/**
 * A payout was planned.
 */
export interface SubAffiliatePayoutScheduled {
  sub_affiliate_id: string
  payout_id: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  scheduled_for: string
}
/**
 * A payout was done.
 */
export interface SubAffiliatePaid {
  sub_affiliate_id: string
  payout_id: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  period_from: string
  period_to: string
  paid: string
}
/**
 * A payout was refused or returned.
 */
export interface SubAffiliatePayoutFailed {
  sub_affiliate_id: string
  payout_id: string
  amount: number
  /**
   * ISO 4217 currency code.
   */
  currency: string
  /**
   * Known values, others may follow: method_rejected, details_missing, limit, returned, other.
   */
  failure_code: string
}
/**
 * A sub-affiliate left or was removed.
 */
export interface SubAffiliateRemoved {
  sub_affiliate_id: string
  /**
   * Known values, others may follow: left, terminated, other.
   */
  reason: string
}
/**
 * An automation rule was saved.
 */
export interface AutomationCreated {
  rule_id: string
  name: string
  /**
   * Known values, others may follow: event, schedule, anomaly.
   */
  trigger_type: string
  /**
   * @maxItems 1000
   */
  action_types: string[]
}
/**
 * An automation rule was changed.
 */
export interface AutomationUpdated {
  rule_id: string
  version: number
  /**
   * @maxItems 1000
   */
  changed: string[]
}
/**
 * An automation rule was switched on.
 */
export interface AutomationEnabled {
  rule_id: string
}
/**
 * An automation rule was switched off.
 */
export interface AutomationDisabled {
  rule_id: string
  /**
   * Known values, others may follow: user, loop_detected, authorization_revoked, too_many_failures.
   */
  reason: string
}
/**
 * A rule's conditions were met and its actions run.
 */
export interface AutomationFired {
  rule_id: string
  firing_id: string
  rule_name: string
  /**
   * Known values, others may follow: event, schedule, anomaly.
   */
  trigger_type: string
  /**
   * Known values, others may follow: workspace, brand, integration, campaign, sub_affiliate.
   */
  subject_type: string
  subject_id: string
  brand_slug: string | null
  /**
   * @maxItems 1000
   */
  action_types: string[]
  /**
   * Known values, others may follow: succeeded, partially_failed, failed.
   */
  status: string
}
/**
 * An action of a rule could not be carried out.
 */
export interface AutomationFailed {
  rule_id: string
  firing_id: string
  action_type: string
  error_code: string
}
/**
 * An automation rule was removed.
 */
export interface AutomationDeleted {
  rule_id: string
}
/**
 * A webhook subscription was switched off.
 */
export interface WebhookDisabled {
  webhook_id: string
  /**
   * Known values, others may follow: user, gone, failing, authorization_revoked.
   */
  reason: string
  failing_since: string | null
  failed_deliveries: number
}
/**
 * A webhook subscription is on again.
 */
export interface WebhookEnabled {
  webhook_id: string
}
/**
 * A webhook subscription has a new signing secret.
 */
export interface WebhookSecretRotated {
  webhook_id: string
  previous_expires: string
}
/**
 * A delivery used its last attempt.
 */
export interface WebhookDeliveryExhausted {
  webhook_id: string
  delivery_id: string
  event_id: string
  event_type: string
  attempts: number
  last_status: number | null
}
/**
 * A test was sent to a webhook subscription.
 */
export interface WebhookTested {
  webhook_id: string
  /**
   * Known values, others may follow: user, client, api_key.
   */
  requested_by: string
}
/**
 * A bulk import finished.
 */
export interface ImportCompleted {
  import_id: string
  /**
   * Known values, others may follow: campaigns, stats, invoice_payments, fx_rates.
   */
  import_type: string
  lines: number
  accepted: number
  rejected: number
  duration_ms: number
}
/**
 * A bulk import failed as a whole.
 */
export interface ImportFailed {
  import_id: string
  /**
   * Known values, others may follow: campaigns, stats, invoice_payments, fx_rates.
   */
  import_type: string
  error_code: string
  line: number | null
}
/**
 * The workspace's time zone, base currency or other settings changed, or its name, slug or strict_event_scopes.
 */
export interface WorkspaceUpdated {
  /**
   * @maxItems 1000
   */
  changed: string[]
  /**
   * IANA time zone.
   */
  time_zone: string
  /**
   * ISO 4217 currency code.
   */
  base_currency: string
}

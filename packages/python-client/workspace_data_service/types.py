# Holds the schemas of the OpenAPI document. Generated from it by `npm run generate`.
# It must never be edited by hand.
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union

AccountSession = TypedDict(
    "AccountSession",
    {
        'object': 'Literal["account_session"]',
        'id': 'Id',
        'is_current': 'bool',
        'created': 'Instant',
        'last_used': 'Any',
        'address': 'Union[str, None]',
        'user_agent': 'Union[str, None]',
    },
)

Amount: TypeAlias = 'int'

Anomaly = TypedDict(
    "Anomaly",
    {
        'object': 'Literal["anomaly"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'status': 'Literal["open", "acknowledged", "resolved", "dismissed"]',
        'metric': 'str',
        'dimension': 'dict[str, Any]',
        'campaign_ids': 'list[Id]',
        'day': 'CalendarDate',
        'time_zone': 'str',
        'window_days': 'int',
        'observed': 'float',
        'expected': 'Union[float, None]',
        'lower': 'Union[float, None]',
        'upper': 'Union[float, None]',
        'currency': 'Union[str, None]',
        'score': 'Union[float, None]',
        'direction': 'Literal["spike", "drop"]',
        'severity': 'Literal["low", "medium", "high"]',
        'method': 'str',
        'baseline_days': 'int',
        'is_final_day': 'bool',
        'resolution': 'Literal["restated", "recovered", "user", None]',
        'reason': 'Literal["expected", "data_error", "not_useful", "other", None]',
        'note': 'AnomalyText',
    },
)

AnomalyDismissal = TypedDict(
    "AnomalyDismissal",
    {
        'reason': 'Literal["expected", "data_error", "not_useful", "other"]',
        'note': NotRequired['AnomalyText'],
    },
)

AnomalyList = TypedDict(
    "AnomalyList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Anomaly]',
    },
)

AnomalyNote = TypedDict(
    "AnomalyNote",
    {
        'note': NotRequired['AnomalyText'],
    },
)

AnomalyText: TypeAlias = 'Union[str, None]'

ApiKey = TypedDict(
    "ApiKey",
    {
        'object': 'Literal["api_key"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'name': 'str',
        'status': 'Literal["live", "expired", "revoked"]',
        'prefix': 'str',
        'last4': 'str',
        'scopes': 'list[Scope]',
        'cidrs': 'list[str]',
        'expires': 'MaybeInstant',
        'creator': 'Union[str, None]',
        'previous_ends': 'MaybeInstant',
        'last_used': 'MaybeInstant',
        'ends_unused': 'MaybeInstant',
    },
)

ApiKeyList = TypedDict(
    "ApiKeyList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[ApiKey]',
    },
)

ApiKeyPatch = TypedDict(
    "ApiKeyPatch",
    {
        'name': NotRequired['Name'],
        'scopes': NotRequired['KeyScopes'],
        'cidrs': NotRequired['Union[Cidrs, None]'],
    },
)

AppScopes: TypeAlias = 'list[Scope]'

Attempt = TypedDict(
    "Attempt",
    {
        'object': 'Literal["attempt"]',
        'id': 'Union[str, None]',
        'delivery_id': 'str',
        'epoch': 'int',
        'number': 'int',
        'outcome': 'Literal["started", "succeeded", "failed", "unknown"]',
        'started': 'str',
        'finished': 'Union[str, None]',
        'duration_ms': 'Union[int, None]',
        'url': 'Union[str, None]',
        'signature_timestamp': 'Union[int, None]',
        'response_status': 'Union[int, None]',
        'response_excerpt': 'Union[str, None]',
        'error_code': 'Union[str, None]',
        'trace_id': 'Union[str, None]',
    },
)

AttemptNumbers = TypedDict(
    "AttemptNumbers",
    {
        'attempts': 'Count',
        'succeeded': 'Count',
        'failed': 'Count',
        'unknown': 'Count',
        'errors': 'dict[str, Count]',
        'p50_ms': 'DurationBound',
        'p95_ms': 'DurationBound',
    },
)

AttemptPeriod = TypedDict(
    "AttemptPeriod",
    {
        'attempts': 'Count',
        'succeeded': 'Count',
        'failed': 'Count',
        'unknown': 'Count',
        'errors': 'dict[str, Count]',
        'p50_ms': 'DurationBound',
        'p95_ms': 'DurationBound',
        'start': 'str',
    },
)

AttemptSeries = TypedDict(
    "AttemptSeries",
    {
        'total': 'AttemptNumbers',
        'periods': 'list[AttemptPeriod]',
    },
)

AuditEntry = TypedDict(
    "AuditEntry",
    {
        'object': 'Literal["audit_entry"]',
        'id': 'str',
        'created': 'Instant',
        'actor': 'str',
        'action': 'str',
        'target': 'Union[str, None]',
        'outcome': 'Literal["done", "refused"]',
        'address': 'Union[str, None]',
        'user_agent': 'Union[str, None]',
        'request_id': 'str',
    },
)

AutomationDryRun = TypedDict(
    "AutomationDryRun",
    {
        'object': 'Literal["automation_dry_run"]',
        'rule_id': 'Id',
        'data': 'list[dict[str, Any]]',
    },
)

AutomationRule = TypedDict(
    "AutomationRule",
    {
        'object': 'Literal["automation_rule"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'name': 'str',
        'enabled': 'bool',
        'disabled_reason': 'Union[str, None]',
        'trigger': 'RuleTrigger',
        'subject_type': 'RuleSubjectType',
        'scope': 'RuleScope',
        'window': 'RuleWindow',
        'final_days_only': 'bool',
        'conditions': 'list[RuleCondition]',
        'min_sample': 'RuleMinSample',
        'actions': 'RuleActions',
        'cooldown_minutes': 'int',
        'max_fires_per_day': 'int',
        'dry_run': 'bool',
        'principal': 'dict[str, Any]',
        'granted_scopes': 'list[str]',
    },
)

AutomationRuleList = TypedDict(
    "AutomationRuleList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[AutomationRule]',
    },
)

AutomationRulePatch = TypedDict(
    "AutomationRulePatch",
    {
        'name': NotRequired['Name'],
        'trigger': NotRequired['RuleTriggerPatch'],
        'subject_type': NotRequired['RuleSubjectType'],
        'scope': NotRequired['Union[GivenRuleScope, None]'],
        'window': NotRequired['RuleWindow'],
        'final_days_only': NotRequired['Union[bool, None]'],
        'conditions': NotRequired['GivenRuleConditions'],
        'min_sample': NotRequired['Union[dict[str, Union[int, None]], None]'],
        'actions': NotRequired['RuleActions'],
        'cooldown_minutes': NotRequired['Union[int, None]'],
        'max_fires_per_day': NotRequired['Union[int, None]'],
        'dry_run': NotRequired['Union[bool, None]'],
    },
)

BillTo = TypedDict(
    "BillTo",
    {
        'name': 'str',
        'legal': 'Union[Party, None]',
    },
)

Brand = TypedDict(
    "Brand",
    {
        'object': 'Literal["brand"]',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'slug': 'str',
        'name': 'str',
        'vertical': 'str',
        'default_currency': 'Union[str, None]',
        'legal': NotRequired['Union[Party, None]'],
    },
)

BrandList = TypedDict(
    "BrandList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Brand]',
    },
)

BrandPatch = TypedDict(
    "BrandPatch",
    {
        'name': NotRequired['Name'],
        'vertical': NotRequired['Union[str, None]'],
        'default_currency': NotRequired['Union[str, None]'],
        'legal': NotRequired['Union[PartyPatch, None]'],
    },
)

CalendarDate: TypeAlias = 'str'

Campaign = TypedDict(
    "Campaign",
    {
        'object': 'Literal["campaign"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'name': 'str',
        'tags': 'Tags',
        'metadata': 'Metadata',
        'integration_id': 'Id',
        'brand_slug': 'str',
        'external_id': 'str',
        'status': 'Literal["draft", "active", "paused", "archived"]',
        'merged_into': 'Union[Id, None]',
        'tracking_url': 'Union[str, None]',
        'landing_url': 'Union[str, None]',
        'deal': 'Deal',
        'countries': 'list[str]',
        'starts': 'Union[str, None]',
        'ends': 'Union[str, None]',
    },
)

CampaignExportQuery = TypedDict(
    "CampaignExportQuery",
    {
        'status': NotRequired['list[Literal["draft", "active", "paused", "archived"]]'],
        'brand': NotRequired['list[str]'],
        'integration_id': NotRequired['list[str]'],
        'external_id': NotRequired['list[str]'],
        'tag': NotRequired['list[str]'],
        'merged_into': NotRequired['list[str]'],
        'created[gte]': NotRequired['Instant'],
        'created[gt]': NotRequired['Instant'],
        'created[lte]': NotRequired['Instant'],
        'created[lt]': NotRequired['Instant'],
    },
)

CampaignList = TypedDict(
    "CampaignList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Campaign]',
    },
)

CampaignMerge = TypedDict(
    "CampaignMerge",
    {
        'into': 'str',
    },
)

CampaignMoney = TypedDict(
    "CampaignMoney",
    {
        'amount': 'int',
        'currency': 'str',
    },
)

CampaignPatch = TypedDict(
    "CampaignPatch",
    {
        'name': NotRequired['Name'],
        'tags': NotRequired['Tags'],
        'metadata': NotRequired['MetadataPatch'],
        'tracking_url': NotRequired['Union[str, None]'],
        'landing_url': NotRequired['Union[str, None]'],
        'deal': NotRequired['Union[GivenDeal, None]'],
        'countries': NotRequired['Countries'],
        'starts': NotRequired['Union[CalendarDate, None]'],
        'ends': NotRequired['Union[CalendarDate, None]'],
    },
)

Cidrs: TypeAlias = 'list[str]'

CodeCounts: TypeAlias = 'dict[str, Count]'

CommissionPlan = TypedDict(
    "CommissionPlan",
    {
        'object': 'Literal["commission_plan"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'name': 'str',
        'type': 'PlanType',
        'cpa': 'Union[PlanMoney, None]',
        'revshare_bps': 'Union[int, None]',
        'tiers': 'list[PlanTier]',
        'base': 'PlanBase',
        'cap': 'Union[PlanMoney, None]',
        'negative_carryover': 'bool',
    },
)

CommissionPlanList = TypedDict(
    "CommissionPlanList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[CommissionPlan]',
    },
)

CommissionPlanPatch = TypedDict(
    "CommissionPlanPatch",
    {
        'name': NotRequired['Name'],
    },
)

ConnectedApp = TypedDict(
    "ConnectedApp",
    {
        'object': 'Literal["connected_app"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'app': 'dict[str, Any]',
        'user': 'dict[str, Any]',
        'scopes': 'list[Scope]',
        'last_used': 'Any',
    },
)

ConnectedAppList = TypedDict(
    "ConnectedAppList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[ConnectedApp]',
    },
)

Count: TypeAlias = 'int'

Countries: TypeAlias = 'list[str]'

CreateWebhook = TypedDict(
    "CreateWebhook",
    {
        'url': 'str',
        'events': 'list[str]',
        'description': NotRequired['Union[str, None]'],
        'headers': NotRequired['dict[str, str]'],
        'filter': NotRequired['PayloadFilter'],
        'rate_limit': NotRequired['Union[int, None]'],
        'max_in_flight': NotRequired['int'],
    },
)

Credentials: TypeAlias = 'Union[dict[str, Any], None]'

DeadLetterCause = TypedDict(
    "DeadLetterCause",
    {
        'object': 'Literal["dead_letter_cause"]',
        'reason': 'str',
        'error_code': 'Union[str, None]',
        'status_class': 'Union[str, None]',
        'count': 'Count',
        'oldest': 'str',
        'newest': 'str',
        'webhooks': 'list[dict[str, Any]]',
    },
)

DeadLetterCauses = TypedDict(
    "DeadLetterCauses",
    {
        'object': 'Literal["dead_letter_causes"]',
        'data': 'list[DeadLetterCause]',
        'counted_since': 'Union[str, None]',
    },
)

Deal = TypedDict(
    "Deal",
    {
        'type': 'Literal["cpa", "revshare", "hybrid", "flat", "none"]',
        'cpa': 'Union[CampaignMoney, None]',
        'revshare_bps': 'Union[int, None]',
        'baseline': 'Union[DealBaseline, None]',
        'negative_carryover': 'bool',
    },
)

DealBaseline = TypedDict(
    "DealBaseline",
    {
        'min_deposit': 'CampaignMoney',
        'wagering_x': 'Union[float, None]',
    },
)

Delivery = TypedDict(
    "Delivery",
    {
        'object': 'Literal["delivery"]',
        'id': 'str',
        'webhook_id': 'str',
        'event_id': 'str',
        'event_type': 'str',
        'status': 'Literal["pending", "retry", "replay", "delivered", "dead"]',
        'epoch': 'int',
        'attempt': 'int',
        'max_attempts': 'int',
        'attempts_total': 'int',
        'next_attempt': 'Union[str, None]',
        'attempt_under_way': 'bool',
        'delivered': 'Union[str, None]',
        'dead': 'Union[str, None]',
        'dead_reason': 'Union[str, None]',
        'last_status': 'Union[int, None]',
        'last_error_code': 'Union[str, None]',
        'version': 'int',
        'created': 'str',
        'updated': 'str',
    },
)

DeliveryDetail = TypedDict(
    "DeliveryDetail",
    {
        'object': 'Literal["delivery"]',
        'id': 'str',
        'webhook_id': 'str',
        'event_id': 'str',
        'event_type': 'str',
        'status': 'Literal["pending", "retry", "replay", "delivered", "dead"]',
        'epoch': 'int',
        'attempt': 'int',
        'max_attempts': 'int',
        'attempts_total': 'int',
        'next_attempt': 'Union[str, None]',
        'attempt_under_way': 'bool',
        'delivered': 'Union[str, None]',
        'dead': 'Union[str, None]',
        'dead_reason': 'Union[str, None]',
        'last_status': 'Union[int, None]',
        'last_error_code': 'Union[str, None]',
        'version': 'int',
        'created': 'str',
        'updated': 'str',
        'attempts': 'list[Attempt]',
        'epochs': 'list[dict[str, Any]]',
        'event': 'Union[dict[str, Any], None]',
    },
)

DeliveryIds: TypeAlias = 'list[str]'

DeliveryList = TypedDict(
    "DeliveryList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Delivery]',
    },
)

DeliveryStatistics = TypedDict(
    "DeliveryStatistics",
    {
        'total': 'AttemptNumbers',
        'periods': 'list[AttemptPeriod]',
        'object': 'Literal["delivery_statistics"]',
        'interval': 'Literal["hour", "day"]',
        'since': 'str',
        'until': 'str',
        'webhooks': 'list[Any]',
    },
)

Dispute = TypedDict(
    "Dispute",
    {
        'reason': 'DisputeReason',
        'opened': 'Instant',
        'note': 'Union[str, None]',
    },
)

DisputeReason: TypeAlias = 'Literal["amount", "period", "quality", "duplicate", "other"]'

DurationBound: TypeAlias = 'Union[int, None]'

Event = TypedDict(
    "Event",
    {
        'id': 'str',
        'type': 'str',
        'created': 'str',
        'data': 'dict[str, Any]',
    },
)

EventList = TypedDict(
    "EventList",
    {
        'object': 'Literal["list"]',
        'data': 'list[Event]',
        'has_more': 'bool',
        'next_cursor': 'str',
    },
)

EventType = TypedDict(
    "EventType",
    {
        'object': 'Literal["event_type"]',
        'type': 'str',
        'meaning': 'str',
        'since': 'str',
        'stability': 'Literal["stable", "beta", "deprecated"]',
        'read_scope': 'list[str]',
        'once_per': 'str',
        'volume': 'Literal["low", "medium", "high"]',
        'schema': 'JsonSchema',
        'example': 'Event',
    },
)

EventTypeList = TypedDict(
    "EventTypeList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[EventTypeSummary]',
    },
)

EventTypeSummary = TypedDict(
    "EventTypeSummary",
    {
        'object': 'Literal["event_type"]',
        'type': 'str',
        'meaning': 'str',
        'since': 'str',
        'stability': 'Literal["stable", "beta", "deprecated"]',
        'read_scope': 'list[str]',
        'once_per': 'str',
        'volume': 'Literal["low", "medium", "high"]',
    },
)

Export = TypedDict(
    "Export",
    {
        'object': 'Literal["export"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'type': 'Literal["stats", "invoices", "campaigns", "sub_affiliates", "ledger_entries", "payouts"]',
        'format': 'Literal["csv", "ndjson"]',
        'compression': 'Literal["none", "gzip"]',
        'query': 'Union[ExportQuery, InvoiceExportQuery, CampaignExportQuery, SubAffiliateExportQuery, LedgerExportQuery, PayoutExportQuery]',
        'status': 'Literal["queued", "running", "completed", "failed", "canceled"]',
        'rows': 'Count',
        'rows_total': 'Union[int, None]',
        'bytes': 'Count',
        'meta': 'Union[StatsMeta, None]',
        'started': 'MaybeInstant',
        'finished': 'MaybeInstant',
        'expires': 'Instant',
        'error': 'Union[dict[str, Any], None]',
    },
)

ExportList = TypedDict(
    "ExportList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Export]',
    },
)

ExportQuery = TypedDict(
    "ExportQuery",
    {
        'from': 'CalendarDate',
        'to': 'CalendarDate',
        'time_zone': NotRequired['str'],
        'group_by': NotRequired['list[Literal["day", "week", "month", "brand", "campaign", "integration", "country", "sub_affiliate", "currency"]]'],
        'metrics': NotRequired['list[str]'],
        'filter': NotRequired['StatsFilter'],
        'filter_not': NotRequired['StatsFilter'],
        'currency': NotRequired['str'],
        'rate_set': NotRequired['str'],
        'compare': NotRequired['Literal["previous_period", "previous_period_weekday_aligned", "previous_month", "previous_year"]'],
        'finality': NotRequired['Literal["any", "final_only"]'],
        'order_by': NotRequired['str'],
    },
)

Firing = TypedDict(
    "Firing",
    {
        'object': 'Literal["firing"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'rule_id': 'Id',
        'rule_version': 'int',
        'trigger_type': 'str',
        'subject_type': 'str',
        'subject_id': 'str',
        'brand_slug': 'Union[str, None]',
        'evidence': 'RuleEvidence',
        'actions': 'list[dict[str, Any]]',
        'status': 'Literal["succeeded", "partially_failed", "failed", "suppressed", "simulated"]',
        'fired': 'Instant',
    },
)

FiringList = TypedDict(
    "FiringList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Firing]',
    },
)

GivenDeal = TypedDict(
    "GivenDeal",
    {
        'type': 'Literal["cpa", "revshare", "hybrid", "flat", "none"]',
        'cpa': NotRequired['Union[CampaignMoney, None]'],
        'revshare_bps': NotRequired['Union[int, None]'],
        'baseline': NotRequired['Union[GivenDealBaseline, None]'],
        'negative_carryover': NotRequired['bool'],
    },
)

GivenDealBaseline = TypedDict(
    "GivenDealBaseline",
    {
        'min_deposit': 'CampaignMoney',
        'wagering_x': NotRequired['Union[float, None]'],
    },
)

GivenRuleCondition = TypedDict(
    "GivenRuleCondition",
    {
        'metric': 'str',
        'op': 'Literal["gt", "gte", "lt", "lte", "eq", "neq", "between", "changed_by_pct"]',
        'value': 'Union[float, list[float]]',
        'currency': NotRequired['Union[str, None]'],
    },
)

GivenRuleConditions: TypeAlias = 'list[GivenRuleCondition]'

GivenRuleScope = TypedDict(
    "GivenRuleScope",
    {
        'brand_slugs': NotRequired['RuleScopeList'],
        'campaign_ids': NotRequired['RuleScopeList'],
        'integration_ids': NotRequired['RuleScopeList'],
    },
)

GivenSchedule: TypeAlias = 'Union[dict[str, Any], None]'

Id: TypeAlias = 'str'

Identity = TypedDict(
    "Identity",
    {
        'object': 'Literal["identity"]',
        'id': 'Id',
        'issuer': 'str',
        'provider': 'Union[str, None]',
        'title': 'str',
        'account': 'str',
        'created': 'Instant',
        'last_used': 'Union[Instant, None]',
    },
)

Import = TypedDict(
    "Import",
    {
        'object': 'Literal["import"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'type': 'Literal["stats", "fx_rates", "invoice_payments", "campaigns"]',
        'format': 'Literal["csv", "ndjson"]',
        'integration_id': 'Union[str, None]',
        'covers': 'MaybeWindow',
        'source': 'Union[str, None]',
        'status': 'Literal["queued", "running", "completed", "completed_with_errors", "failed", "canceled"]',
        'lines': 'Count',
        'accepted': 'Count',
        'rejected': 'Count',
        'unchanged': 'Count',
        'sync_run_id': 'Union[str, None]',
        'rate_set': 'Union[str, None]',
        'started': 'MaybeInstant',
        'finished': 'MaybeInstant',
        'error': 'Union[dict[str, Any], None]',
    },
)

ImportList = TypedDict(
    "ImportList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Import]',
    },
)

Instant: TypeAlias = 'str'

Integration = TypedDict(
    "Integration",
    {
        'object': 'Literal["integration"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'name': 'str',
        'tags': 'Tags',
        'metadata': 'Metadata',
        'brand_slug': 'str',
        'provider': 'str',
        'status': 'Literal["pending", "active", "broken", "paused"]',
        'settings': 'dict[str, Any]',
        'credentials': 'dict[str, Any]',
        'postback_url': NotRequired['str'],
        'schedule': 'Schedule',
        'source_time_zone': 'str',
        'currency': 'str',
        'granularity': 'Literal["hour", "day"]',
        'lookback_days': 'Count',
        'initial_backfill_days': 'Count',
        'settle_hours': 'Count',
        'required_for_final': 'bool',
        'window_mode': 'Literal["replace", "upsert"]',
        'on_unknown_campaign': 'Literal["create", "unassigned", "reject"]',
        'last_sync': 'Union[dict[str, Any], None]',
        'next_run': 'MaybeInstant',
        'health': 'dict[str, Any]',
    },
)

IntegrationList = TypedDict(
    "IntegrationList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Integration]',
    },
)

IntegrationPatch = TypedDict(
    "IntegrationPatch",
    {
        'name': NotRequired['Name'],
        'tags': NotRequired['Tags'],
        'metadata': NotRequired['MetadataPatch'],
        'settings': NotRequired['Settings'],
        'credentials': NotRequired['Credentials'],
        'schedule': NotRequired['SchedulePatch'],
        'source_time_zone': NotRequired['str'],
        'currency': NotRequired['str'],
        'granularity': NotRequired['Literal["hour", "day"]'],
        'lookback_days': NotRequired['int'],
        'initial_backfill_days': NotRequired['int'],
        'settle_hours': NotRequired['int'],
        'required_for_final': NotRequired['bool'],
        'window_mode': NotRequired['Literal["replace", "upsert"]'],
        'on_unknown_campaign': NotRequired['Literal["create", "unassigned", "reject"]'],
    },
)

IntegrationTest = TypedDict(
    "IntegrationTest",
    {
        'object': 'Literal["integration_test"]',
        'ok': 'bool',
        'error_code': 'Union[SyncErrorCode, None]',
        'sample_rows': 'list[dict[str, Union[int, None]]]',
        'warnings': 'CodeCounts',
    },
)

Invitation = TypedDict(
    "Invitation",
    {
        'object': 'Literal["invitation"]',
        'id': 'str',
        'role': 'Role',
        'email': 'Union[str, None]',
        'name': 'Union[str, None]',
        'inviter': 'Union[str, None]',
        'created': 'Instant',
        'expires': 'Instant',
    },
)

Invoice = TypedDict(
    "Invoice",
    {
        'object': 'Literal["invoice"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'number': 'Union[str, None]',
        'kind': 'Literal["invoice", "credit_note"]',
        'brand_slug': 'str',
        'period': 'InvoicePeriod',
        'time_zone': 'str',
        'currency': 'str',
        'line_items_count': 'Count',
        'subtotal': 'Amount',
        'tax_amount': 'Amount',
        'total': 'Amount',
        'amount_paid': 'Amount',
        'amount_due': 'Amount',
        'status': 'Literal["draft", "generated", "sent", "overdue", "paid", "void"]',
        'dispute': 'Union[Dispute, None]',
        'issued': 'MaybeInstant',
        'sent': 'MaybeInstant',
        'paid': 'MaybeInstant',
        'voided': 'MaybeInstant',
        'due': 'Union[CalendarDate, None]',
        'replaces': 'Union[str, None]',
        'replaced_by': 'Union[str, None]',
        'memo': 'Union[str, None]',
        'metadata': 'Metadata',
        'line_items': 'list[InvoiceLine]',
        'payments': 'list[Payment]',
        'issuer': 'Union[Issuer, None]',
        'bill_to': 'Union[BillTo, None]',
    },
)

InvoiceExportQuery = TypedDict(
    "InvoiceExportQuery",
    {
        'status': NotRequired['list[Literal["draft", "generated", "sent", "overdue", "paid", "void"]]'],
        'brand': NotRequired['list[str]'],
        'currency': NotRequired['list[str]'],
        'disputed': NotRequired['bool'],
        'due[lt]': NotRequired['CalendarDate'],
        'created[gte]': NotRequired['Instant'],
        'created[gt]': NotRequired['Instant'],
        'created[lte]': NotRequired['Instant'],
        'created[lt]': NotRequired['Instant'],
    },
)

InvoiceLine = TypedDict(
    "InvoiceLine",
    {
        'object': 'Literal["invoice_line_item"]',
        'id': 'Id',
        'origin': 'Literal["stats", "manual"]',
        'kind': 'Literal["cpa", "revshare", "flat", "adjustment", "carryover", "tax"]',
        'description': 'str',
        'campaign_id': 'Union[str, None]',
        'quantity': 'Union[int, None]',
        'unit_amount': 'Union[Amount, None]',
        'amount': 'Amount',
        'stats_revision': 'Union[int, None]',
    },
)

InvoiceLineList = TypedDict(
    "InvoiceLineList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[InvoiceLine]',
    },
)

InvoiceList = TypedDict(
    "InvoiceList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[InvoiceSummary]',
    },
)

InvoicePatch = TypedDict(
    "InvoicePatch",
    {
        'due': NotRequired['Union[CalendarDate, None]'],
        'memo': NotRequired['Union[str, None]'],
        'metadata': NotRequired['MetadataPatch'],
        'line_items': NotRequired['list[NewInvoiceLine]'],
    },
)

InvoicePeriod = TypedDict(
    "InvoicePeriod",
    {
        'from': 'CalendarDate',
        'to': 'CalendarDate',
    },
)

InvoiceSummary = TypedDict(
    "InvoiceSummary",
    {
        'object': 'Literal["invoice"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'number': 'Union[str, None]',
        'kind': 'Literal["invoice", "credit_note"]',
        'brand_slug': 'str',
        'period': 'InvoicePeriod',
        'time_zone': 'str',
        'currency': 'str',
        'line_items_count': 'Count',
        'subtotal': 'Amount',
        'tax_amount': 'Amount',
        'total': 'Amount',
        'amount_paid': 'Amount',
        'amount_due': 'Amount',
        'status': 'Literal["draft", "generated", "sent", "overdue", "paid", "void"]',
        'dispute': 'Union[Dispute, None]',
        'issued': 'MaybeInstant',
        'sent': 'MaybeInstant',
        'paid': 'MaybeInstant',
        'voided': 'MaybeInstant',
        'due': 'Union[CalendarDate, None]',
        'replaces': 'Union[str, None]',
        'replaced_by': 'Union[str, None]',
        'memo': 'Union[str, None]',
        'metadata': 'Metadata',
    },
)

Issuer = TypedDict(
    "Issuer",
    {
        'legal_name': 'str',
        'address': 'list[str]',
        'country': 'str',
        'tax_id': 'Union[str, None]',
        'iban': 'Union[str, None]',
        'bic': 'Union[str, None]',
        'bank_account': 'Union[str, None]',
    },
)

IssuerPatch = TypedDict(
    "IssuerPatch",
    {
        'legal_name': NotRequired['str'],
        'address': NotRequired['list[str]'],
        'country': NotRequired['str'],
        'tax_id': NotRequired['Union[str, None]'],
        'iban': NotRequired['Union[str, None]'],
        'bic': NotRequired['Union[str, None]'],
        'bank_account': NotRequired['Union[str, None]'],
    },
)

JsonSchema = TypedDict(
    "JsonSchema",
    {
        '$schema': 'str',
        'type': 'str',
        'properties': 'dict[str, Any]',
        'required': 'Any',
    },
)

KeyScopes: TypeAlias = 'list[Scope]'

LedgerEntry = TypedDict(
    "LedgerEntry",
    {
        'object': 'Literal["ledger_entry"]',
        'id': 'Id',
        'created': 'Instant',
        'sub_affiliate_id': 'Id',
        'kind': 'Literal["accrual", "adjustment", "carryover", "payout", "payout_reversal"]',
        'reason': 'Union[str, None]',
        'amount': 'Amount',
        'currency': 'str',
        'balance_after': 'Amount',
        'day': 'Union[str, None]',
        'month': 'LedgerMonth',
        'integration_id': 'Union[str, None]',
        'campaign_id': 'Union[str, None]',
        'row_amount': 'Union[int, None]',
        'row_currency': 'Union[str, None]',
        'stats_revision': 'Union[int, None]',
        'plan_id': 'Union[str, None]',
        'rate_bps': 'Union[int, None]',
        'fx': 'Union[dict[str, Any], None]',
        'note': 'Union[str, None]',
        'source': 'str',
        'source_id': 'str',
    },
)

LedgerEntryList = TypedDict(
    "LedgerEntryList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[LedgerEntry]',
    },
)

LedgerExportQuery = TypedDict(
    "LedgerExportQuery",
    {
        'sub_affiliate_id': NotRequired['list[str]'],
        'kind': NotRequired['list[Literal["accrual", "adjustment", "carryover", "payout", "payout_reversal"]]'],
        'month': NotRequired['list[LedgerMonth]'],
        'created[gte]': NotRequired['Instant'],
        'created[gt]': NotRequired['Instant'],
        'created[lte]': NotRequired['Instant'],
        'created[lt]': NotRequired['Instant'],
    },
)

LedgerMonth: TypeAlias = 'str'

List = TypedDict(
    "List",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
    },
)

LogoUpload: TypeAlias = 'Any'

MaybeInstant: TypeAlias = 'Union[Instant, None]'

MaybeWindow: TypeAlias = 'Union[Window, None]'

Member = TypedDict(
    "Member",
    {
        'object': 'Literal["member"]',
        'id': 'str',
        'user': 'dict[str, Any]',
        'role': 'Role',
        'version': 'int',
        'created': 'Instant',
        'updated': 'Instant',
    },
)

MemberLosses = TypedDict(
    "MemberLosses",
    {
        'object': 'Literal["member_losses"]',
        'role': 'Union[Role, None]',
        'scopes': 'list[Scope]',
        'grants_cut': 'Count',
        'grants_ended': 'Count',
        'api_keys': 'Count',
    },
)

Metadata: TypeAlias = 'dict[str, str]'

MetadataPatch: TypeAlias = 'dict[str, Union[str, None]]'

Name: TypeAlias = 'str'

NewApiKey = TypedDict(
    "NewApiKey",
    {
        'name': 'Name',
        'scopes': 'KeyScopes',
        'cidrs': NotRequired['Cidrs'],
        'expires_in_days': 'Literal[30, 90, 365, None]',
    },
)

NewAutomationRule = TypedDict(
    "NewAutomationRule",
    {
        'name': 'Name',
        'enabled': NotRequired['bool'],
        'trigger': 'RuleTrigger',
        'subject_type': 'RuleSubjectType',
        'scope': NotRequired['GivenRuleScope'],
        'window': 'RuleWindow',
        'final_days_only': NotRequired['bool'],
        'conditions': 'GivenRuleConditions',
        'min_sample': NotRequired['RuleMinSample'],
        'actions': 'RuleActions',
        'cooldown_minutes': NotRequired['int'],
        'max_fires_per_day': NotRequired['int'],
        'dry_run': NotRequired['bool'],
    },
)

NewCampaign = TypedDict(
    "NewCampaign",
    {
        'name': 'Name',
        'integration_id': 'str',
        'external_id': 'str',
        'status': NotRequired['Literal["draft", "active"]'],
        'tags': NotRequired['Tags'],
        'metadata': NotRequired['Metadata'],
        'tracking_url': NotRequired['Union[str, None]'],
        'landing_url': NotRequired['Union[str, None]'],
        'deal': NotRequired['GivenDeal'],
        'countries': NotRequired['Countries'],
        'starts': NotRequired['Union[CalendarDate, None]'],
        'ends': NotRequired['Union[CalendarDate, None]'],
    },
)

NewCommissionPlan = TypedDict(
    "NewCommissionPlan",
    {
        'name': 'Name',
        'type': 'PlanType',
        'cpa': NotRequired['Union[PlanMoney, None]'],
        'revshare_bps': NotRequired['Union[int, None]'],
        'tiers': NotRequired['list[PlanTier]'],
        'base': NotRequired['PlanBase'],
        'cap': NotRequired['Union[PlanMoney, None]'],
        'negative_carryover': NotRequired['bool'],
    },
)

NewExport = TypedDict(
    "NewExport",
    {
        'type': 'Literal["stats", "invoices", "campaigns", "sub_affiliates", "ledger_entries", "payouts"]',
        'format': 'Literal["csv", "ndjson"]',
        'compression': NotRequired['Literal["none", "gzip"]'],
        'query': 'dict[str, Any]',
    },
)

NewIntegration = TypedDict(
    "NewIntegration",
    {
        'name': 'Name',
        'tags': NotRequired['Tags'],
        'metadata': NotRequired['Metadata'],
        'settings': NotRequired['Settings'],
        'credentials': NotRequired['Credentials'],
        'schedule': NotRequired['GivenSchedule'],
        'source_time_zone': NotRequired['str'],
        'currency': NotRequired['str'],
        'granularity': NotRequired['Literal["hour", "day"]'],
        'lookback_days': NotRequired['int'],
        'initial_backfill_days': NotRequired['int'],
        'settle_hours': NotRequired['int'],
        'required_for_final': NotRequired['bool'],
        'window_mode': NotRequired['Literal["replace", "upsert"]'],
        'on_unknown_campaign': NotRequired['Literal["create", "unassigned", "reject"]'],
        'brand_slug': 'str',
        'provider': 'str',
        'brand': NotRequired['dict[str, Any]'],
    },
)

NewInvoice = TypedDict(
    "NewInvoice",
    {
        'kind': NotRequired['Literal["invoice", "credit_note"]'],
        'brand_slug': NotRequired['str'],
        'period': NotRequired['InvoicePeriod'],
        'currency': NotRequired['str'],
        'replaces': NotRequired['str'],
        'due': NotRequired['Union[CalendarDate, None]'],
        'memo': NotRequired['Union[str, None]'],
        'metadata': NotRequired['Metadata'],
        'line_items': NotRequired['list[NewInvoiceLine]'],
    },
)

NewInvoiceLine = TypedDict(
    "NewInvoiceLine",
    {
        'kind': 'Literal["flat", "adjustment", "tax"]',
        'description': 'str',
        'amount': 'Amount',
        'campaign_id': NotRequired['Union[str, None]'],
        'quantity': NotRequired['Union[int, None]'],
        'unit_amount': NotRequired['Union[Amount, None]'],
    },
)

NewOAuthApp = TypedDict(
    "NewOAuthApp",
    {
        'name': 'OAuthAppName',
        'redirect_urls': 'RedirectUrls',
        'scopes': 'AppScopes',
        'state': NotRequired['Literal["development", "live"]'],
    },
)

NewPayment = TypedDict(
    "NewPayment",
    {
        'amount': 'Amount',
        'received': 'CalendarDate',
        'method': 'str',
        'reference': 'str',
    },
)

NewPayout = TypedDict(
    "NewPayout",
    {
        'sub_affiliate_id': 'str',
        'amount': NotRequired['int'],
        'scheduled_for': NotRequired['CalendarDate'],
    },
)

NewPayoutMethod = TypedDict(
    "NewPayoutMethod",
    {
        'type': 'PayoutType',
        'details': NotRequired['dict[str, str]'],
    },
)

NewReplayOfDeadLetters = TypedDict(
    "NewReplayOfDeadLetters",
    {
        'webhook_id': NotRequired['str'],
        'type': NotRequired['str'],
        'reason': NotRequired['Literal["attempts_exhausted", "subscription_disabled", "subscription_deleted"]'],
        'error_code': NotRequired['Literal["none", "timeout", "dns_not_found", "dns_failed", "connection_refused", "connection_reset", "connection_failed", "tls_expired", "tls_wrong_host", "tls_untrusted", "tls_failed", "destination_not_allowed", "http_status", "response_invalid", "response_too_large"]'],
        'status_class': NotRequired['Literal["1xx", "2xx", "3xx", "4xx", "5xx"]'],
        'since': NotRequired['str'],
        'until': NotRequired['str'],
        'delivery_ids': NotRequired['DeliveryIds'],
        'rate': NotRequired['ReplayRate'],
        'dry_run': NotRequired['bool'],
    },
)

NewReplayOfWebhook = TypedDict(
    "NewReplayOfWebhook",
    {
        'since': NotRequired['str'],
        'until': NotRequired['str'],
        'status': NotRequired['list[Literal["dead", "retry", "delivered", "missing"]]'],
        'types': NotRequired['list[str]'],
        'delivery_ids': NotRequired['DeliveryIds'],
        'rate': NotRequired['ReplayRate'],
        'dry_run': NotRequired['bool'],
    },
)

NewSubAffiliate = TypedDict(
    "NewSubAffiliate",
    {
        'name': 'Name',
        'email': 'str',
        'external_id': NotRequired['Union[str, None]'],
        'country': NotRequired['Union[str, None]'],
        'time_zone': NotRequired['str'],
        'payout_currency': 'str',
        'minimum_payout': NotRequired['PlanMoney'],
        'payout_method': NotRequired['Union[NewPayoutMethod, None]'],
        'plan_id': 'str',
        'effective_from': NotRequired['CalendarDate'],
        'metadata': NotRequired['Metadata'],
        'invite': NotRequired['bool'],
    },
)

OAuthApp = TypedDict(
    "OAuthApp",
    {
        'object': 'Literal["oauth_app"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'client_id': 'str',
        'name': 'str',
        'redirect_urls': 'list[str]',
        'scopes': 'list[Scope]',
        'state': 'Literal["development", "live", "suspended"]',
        'logo_path': 'str',
        'secrets': 'list[dict[str, Any]]',
    },
)

OAuthAppList = TypedDict(
    "OAuthAppList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[OAuthApp]',
    },
)

OAuthAppName: TypeAlias = 'str'

OAuthAppPatch = TypedDict(
    "OAuthAppPatch",
    {
        'name': NotRequired['OAuthAppName'],
        'redirect_urls': NotRequired['RedirectUrls'],
        'scopes': NotRequired['AppScopes'],
    },
)

OAuthAppUsage = TypedDict(
    "OAuthAppUsage",
    {
        'object': 'Literal["oauth_app_usage"]',
        'data': 'list[dict[str, Any]]',
    },
)

OAuthError = TypedDict(
    "OAuthError",
    {
        'created': 'Instant',
        'endpoint': 'Literal["authorize", "consent", "token", "revoke", "introspect"]',
        'error': 'str',
        'reason': 'str',
        'request_id': 'str',
    },
)

OAuthErrorList = TypedDict(
    "OAuthErrorList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[OAuthError]',
    },
)

OwnWorkspace = TypedDict(
    "OwnWorkspace",
    {
        'id': 'str',
        'name': 'str',
        'slug': 'str',
        'plan': 'Literal["free", "pro", "business", "enterprise"]',
        'role': 'Role',
    },
)

Party = TypedDict(
    "Party",
    {
        'legal_name': 'str',
        'address': 'list[str]',
        'country': 'str',
        'tax_id': 'Union[str, None]',
    },
)

PartyPatch = TypedDict(
    "PartyPatch",
    {
        'legal_name': NotRequired['str'],
        'address': NotRequired['list[str]'],
        'country': NotRequired['str'],
        'tax_id': NotRequired['Union[str, None]'],
    },
)

PayloadFilter: TypeAlias = 'Union[dict[str, Any], None]'

Payment = TypedDict(
    "Payment",
    {
        'id': 'Id',
        'amount': 'Amount',
        'received': 'CalendarDate',
        'method': 'str',
        'reference': 'str',
    },
)

Payout = TypedDict(
    "Payout",
    {
        'object': 'Literal["payout"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'status': 'PayoutStatus',
        'sub_affiliate_id': 'Id',
        'amount': 'int',
        'currency': 'str',
        'period': 'dict[str, Any]',
        'entries': 'int',
        'held': 'Union[dict[str, Any], None]',
        'scheduled_for': 'CalendarDate',
        'time_zone': 'str',
        'paid': 'MaybeInstant',
        'returned': 'MaybeInstant',
        'failure_code': 'Union[str, None]',
        'reference': 'Union[str, None]',
    },
)

PayoutExportQuery = TypedDict(
    "PayoutExportQuery",
    {
        'status': NotRequired['list[PayoutStatus]'],
        'sub_affiliate_id': NotRequired['list[str]'],
        'held': NotRequired['bool'],
        'created[gte]': NotRequired['Instant'],
        'created[gt]': NotRequired['Instant'],
        'created[lte]': NotRequired['Instant'],
        'created[lt]': NotRequired['Instant'],
    },
)

PayoutList = TypedDict(
    "PayoutList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Payout]',
    },
)

PayoutStatus: TypeAlias = 'Literal["scheduled", "processing", "paid", "failed", "canceled"]'

PayoutType: TypeAlias = 'Literal["bank", "paypal", "skrill", "crypto", "manual"]'

PlanBase: TypeAlias = 'Literal["commission", "ngr"]'

PlanMoney = TypedDict(
    "PlanMoney",
    {
        'amount': 'int',
        'currency': 'str',
    },
)

PlanTier = TypedDict(
    "PlanTier",
    {
        'from_ftds': 'int',
        'revshare_bps': 'int',
    },
)

PlanType: TypeAlias = 'Literal["cpa", "revshare", "hybrid", "tiered"]'

Problem = TypedDict(
    "Problem",
    {
        'type': 'str',
        'title': 'str',
        'status': 'int',
        'detail': 'str',
        'instance': 'str',
        'code': 'str',
        'errors': NotRequired['list[dict[str, Any]]'],
    },
)

ProtectedResource = TypedDict(
    "ProtectedResource",
    {
        'resource': 'str',
        'authorization_servers': 'list[str]',
        'scopes_supported': 'list[str]',
        'bearer_methods_supported': 'list[Literal["header"]]',
        'resource_documentation': 'str',
    },
)

Provider = TypedDict(
    "Provider",
    {
        'object': 'Literal["provider"]',
        'provider': 'str',
        'kind': 'Literal["push", "pull", "generated", None]',
        'available': 'bool',
        'settings_schema': 'Union[dict[str, Any], None]',
        'credentials_schema': 'Union[dict[str, Any], None]',
    },
)

ProviderList = TypedDict(
    "ProviderList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Provider]',
    },
)

QuotaExceeded = TypedDict(
    "QuotaExceeded",
    {
        'type': 'Literal["https://iana.org/assignments/http-problem-types#quota-exceeded"]',
        'title': 'str',
        'status': 'Literal[429]',
        'detail': 'str',
        'instance': 'str',
        'code': 'Literal["quota_exceeded"]',
        'violated-policies': NotRequired['list[str]'],
    },
)

RedirectUrls: TypeAlias = 'list[str]'

RegisteredOAuthApp = TypedDict(
    "RegisteredOAuthApp",
    {
        'object': 'Literal["oauth_app"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'client_id': 'str',
        'name': 'str',
        'redirect_urls': 'list[str]',
        'scopes': 'list[Scope]',
        'state': 'Literal["development", "live", "suspended"]',
        'logo_path': 'str',
        'secrets': 'list[dict[str, Any]]',
        'client_secret': 'str',
    },
)

Replay = TypedDict(
    "Replay",
    {
        'object': 'Literal["replay"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'webhook_id': 'Union[str, None]',
        'filter': 'dict[str, Any]',
        'rate': 'int',
        'requested_by': 'str',
        'status': 'Literal["queued", "running", "paused", "completed", "canceled", "failed"]',
        'failed_reason': 'Literal["subscription_disabled", "subscription_deleted", None]',
        'matched': 'Union[int, None]',
        'opened': 'int',
        'skipped': 'int',
        'delivered': 'int',
        'dead': 'int',
        'started': 'Union[str, None]',
        'finished': 'Union[str, None]',
    },
)

ReplayDryRun = TypedDict(
    "ReplayDryRun",
    {
        'matched': 'int',
        'by_status': 'dict[str, int]',
        'by_type': 'dict[str, int]',
        'by_webhook': 'dict[str, int]',
        'left_out': 'dict[str, int]',
        'oldest': 'Union[str, None]',
        'newest': 'Union[str, None]',
        'complete': 'bool',
    },
)

ReplayList = TypedDict(
    "ReplayList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Replay]',
    },
)

ReplayRate: TypeAlias = 'int'

Role: TypeAlias = 'Literal["owner", "admin", "member", "viewer"]'

RotateWebhookSecret = TypedDict(
    "RotateWebhookSecret",
    {
        'overlap_seconds': NotRequired['int'],
    },
)

RuleAction = TypedDict(
    "RuleAction",
    {
        'type': 'Literal["notify_webhook", "pause_campaign", "resume_campaign", "trigger_sync", "hold_payout", "create_anomaly", "draft_invoices", "generate_invoices"]',
        'severity': NotRequired['Literal["low", "medium", "high"]'],
    },
)

RuleActions: TypeAlias = 'list[RuleAction]'

RuleCondition = TypedDict(
    "RuleCondition",
    {
        'metric': 'str',
        'op': 'Literal["gt", "gte", "lt", "lte", "eq", "neq", "between", "changed_by_pct"]',
        'value': 'Union[float, list[float]]',
        'currency': 'Union[str, None]',
    },
)

RuleEvidence: TypeAlias = 'list[dict[str, Any]]'

RuleMinSample: TypeAlias = 'dict[str, int]'

RuleScope = TypedDict(
    "RuleScope",
    {
        'brand_slugs': 'RuleScopeList',
        'campaign_ids': 'RuleScopeList',
        'integration_ids': 'RuleScopeList',
    },
)

RuleScopeList: TypeAlias = 'list[str]'

RuleSubjectType: TypeAlias = 'Literal["workspace", "brand", "integration", "campaign", "sub_affiliate"]'

RuleTrigger = TypedDict(
    "RuleTrigger",
    {
        'type': 'Literal["schedule", "event", "anomaly"]',
        'every_minutes': NotRequired['int'],
        'event_type': NotRequired['str'],
        'metric': NotRequired['Union[str, None]'],
    },
)

RuleTriggerPatch = TypedDict(
    "RuleTriggerPatch",
    {
        'type': NotRequired['Literal["schedule", "event", "anomaly"]'],
        'every_minutes': NotRequired['Union[int, None]'],
        'event_type': NotRequired['Union[str, None]'],
        'metric': NotRequired['Union[str, None]'],
    },
)

RuleWindow: TypeAlias = 'str'

Schedule: TypeAlias = 'Union[dict[str, Any], None]'

SchedulePatch: TypeAlias = 'Union[dict[str, Any], None]'

Scope: TypeAlias = 'Literal["stats:read", "integrations:read", "integrations:write", "campaigns:read", "campaigns:write", "invoices:read", "invoices:write", "webhooks:manage"]'

Settings: TypeAlias = 'dict[str, Any]'

ShownApiKey = TypedDict(
    "ShownApiKey",
    {
        'object': 'Literal["api_key"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'name': 'str',
        'status': 'Literal["live", "expired", "revoked"]',
        'prefix': 'str',
        'last4': 'str',
        'scopes': 'list[Scope]',
        'cidrs': 'list[str]',
        'expires': 'MaybeInstant',
        'creator': 'Union[str, None]',
        'previous_ends': 'MaybeInstant',
        'last_used': 'MaybeInstant',
        'ends_unused': 'MaybeInstant',
        'api_key': 'str',
    },
)

Stats = TypedDict(
    "Stats",
    {
        'object': 'Literal["stats"]',
        'data': 'list[dict[str, Union[str, float, None]]]',
        'totals': 'list[dict[str, Union[float, None]]]',
        'meta': 'StatsMeta',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
    },
)

StatsComparison = TypedDict(
    "StatsComparison",
    {
        'value': 'Union[float, None]',
        'delta': 'Union[float, None]',
        'delta_pct': 'Union[float, None]',
    },
)

StatsDay = TypedDict(
    "StatsDay",
    {
        'object': 'Literal["stats_day"]',
        'date': 'CalendarDate',
        'time_zone': 'str',
        'status': 'Literal["open", "provisional", "final"]',
        'late': 'bool',
        'revision': 'int',
        'complete': 'bool',
        'integrations_included': 'list[Id]',
        'integrations_missing': 'list[Id]',
        'watermark': 'MaybeInstant',
        'ready': 'MaybeInstant',
        'restated': 'MaybeInstant',
        'row_count': 'int',
        'checksum': 'Union[str, None]',
        'revisions': 'list[dict[str, Any]]',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
    },
)

StatsDayList = TypedDict(
    "StatsDayList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[StatsDay]',
    },
)

StatsFilter = TypedDict(
    "StatsFilter",
    {
        'brand': NotRequired['StatsFilterValues'],
        'campaign': NotRequired['StatsFilterValues'],
        'integration': NotRequired['StatsFilterValues'],
        'country': NotRequired['StatsFilterValues'],
        'sub_affiliate': NotRequired['StatsFilterValues'],
        'currency': NotRequired['StatsFilterValues'],
    },
)

StatsFilterValues: TypeAlias = 'list[str]'

StatsMeta = TypedDict(
    "StatsMeta",
    {
        'from': 'CalendarDate',
        'to': 'CalendarDate',
        'time_zone': 'str',
        'currency': 'Union[str, None]',
        'fx': 'Union[dict[str, Any], None]',
        'final_through': 'Union[str, None]',
        'watermark': 'MaybeInstant',
        'revision_max': 'Count',
        'is_final': 'bool',
        'approximate': 'bool',
        'incomplete_integrations': 'list[str]',
        'compare_excluded_days': 'list[str]',
        'beyond_range': 'list[str]',
        'generated': 'Instant',
    },
)

StatsQuery = TypedDict(
    "StatsQuery",
    {
        'from': 'CalendarDate',
        'to': 'CalendarDate',
        'time_zone': NotRequired['str'],
        'group_by': NotRequired['list[Literal["day", "week", "month", "brand", "campaign", "integration", "country", "sub_affiliate", "currency"]]'],
        'metrics': NotRequired['list[str]'],
        'filter': NotRequired['StatsFilter'],
        'filter_not': NotRequired['StatsFilter'],
        'currency': NotRequired['str'],
        'rate_set': NotRequired['str'],
        'compare': NotRequired['Literal["previous_period", "previous_period_weekday_aligned", "previous_month", "previous_year"]'],
        'finality': NotRequired['Literal["any", "final_only"]'],
        'order_by': NotRequired['str'],
        'limit': NotRequired['int'],
        'cursor': NotRequired['str'],
    },
)

SubAffiliate = TypedDict(
    "SubAffiliate",
    {
        'object': 'Literal["sub_affiliate"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'status': 'SubAffiliateStatus',
        'name': 'Union[str, None]',
        'email': 'Union[str, None]',
        'external_id': 'Union[str, None]',
        'country': 'Union[str, None]',
        'time_zone': 'str',
        'payout_currency': 'str',
        'minimum_payout': 'PlanMoney',
        'payout_method': 'Union[dict[str, Any], None]',
        'balance': 'dict[str, Any]',
        'plan_id': 'str',
        'plan_history': 'list[dict[str, Any]]',
        'metadata': 'Metadata',
        'joined': 'Union[Instant, None]',
        'invitation_expires': 'Union[Instant, None]',
        'invitation_url': NotRequired['str'],
    },
)

SubAffiliateBalance = TypedDict(
    "SubAffiliateBalance",
    {
        'object': 'Literal["balance"]',
        'sub_affiliate_id': 'Id',
        'currency': 'str',
        'pending': 'Amount',
        'available': 'Amount',
        'paid_total': 'Amount',
    },
)

SubAffiliateExportQuery = TypedDict(
    "SubAffiliateExportQuery",
    {
        'status': NotRequired['list[SubAffiliateStatus]'],
        'plan_id': NotRequired['list[str]'],
        'created[gte]': NotRequired['Instant'],
        'created[gt]': NotRequired['Instant'],
        'created[lte]': NotRequired['Instant'],
        'created[lt]': NotRequired['Instant'],
    },
)

SubAffiliateList = TypedDict(
    "SubAffiliateList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[SubAffiliate]',
    },
)

SubAffiliatePatch = TypedDict(
    "SubAffiliatePatch",
    {
        'name': NotRequired['Name'],
        'email': NotRequired['str'],
        'external_id': NotRequired['Union[str, None]'],
        'country': NotRequired['Union[str, None]'],
        'time_zone': NotRequired['str'],
        'payout_currency': NotRequired['str'],
        'minimum_payout': NotRequired['PlanMoney'],
        'payout_method': NotRequired['Union[NewPayoutMethod, None]'],
        'metadata': NotRequired['MetadataPatch'],
    },
)

SubAffiliateStatus: TypeAlias = 'Literal["invited", "expired", "active", "suspended", "removed"]'

SyncErrorCode: TypeAlias = 'str'

SyncRun = TypedDict(
    "SyncRun",
    {
        'object': 'Literal["sync_run"]',
        'id': 'Id',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'integration_id': 'Id',
        'brand_slug': 'str',
        'import_id': 'Union[str, None]',
        'trigger': 'Literal["schedule", "manual", "retry", "backfill", "upload"]',
        'window': 'MaybeWindow',
        'time_zone': 'str',
        'status': 'Literal["queued", "running", "retry_wait", "succeeded", "failed", "canceled"]',
        'attempt': 'int',
        'max_attempts': 'int',
        'run_seq': 'int',
        'queued': 'Instant',
        'started': 'MaybeInstant',
        'finished': 'MaybeInstant',
        'next_attempt': 'MaybeInstant',
        'duration_ms': 'Union[int, None]',
        'rows_ingested': 'Count',
        'rows_inserted': 'Count',
        'rows_updated': 'Count',
        'rows_unchanged': 'Count',
        'rows_deleted': 'Count',
        'rows_rejected': 'Count',
        'rows_skipped': 'Count',
        'warnings': 'CodeCounts',
        'deletes_skipped': 'bool',
        'rejects_sample': 'list[dict[str, Any]]',
        'error': 'Union[dict[str, Any], None]',
    },
)

SyncRunList = TypedDict(
    "SyncRunList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[SyncRun]',
    },
)

SyncRunWish = TypedDict(
    "SyncRunWish",
    {
        'window': NotRequired['Window'],
        'allow_empty': NotRequired['bool'],
    },
)

Tags: TypeAlias = 'list[str]'

TestWebhook = TypedDict(
    "TestWebhook",
    {
        'type': NotRequired['str'],
    },
)

TrackingLink = TypedDict(
    "TrackingLink",
    {
        'object': 'Literal["tracking_link"]',
        'campaign_id': 'Id',
        'sub_id': 'Union[str, None]',
        'url': 'Union[str, None]',
    },
)

UpdateWebhook = TypedDict(
    "UpdateWebhook",
    {
        'url': NotRequired['str'],
        'events': NotRequired['list[str]'],
        'description': NotRequired['Union[str, None]'],
        'headers': NotRequired['Union[dict[str, Union[str, None]], None]'],
        'filter': NotRequired['PayloadFilter'],
        'rate_limit': NotRequired['Union[int, None]'],
        'max_in_flight': NotRequired['Union[int, None]'],
    },
)

Webhook = TypedDict(
    "Webhook",
    {
        'object': 'Literal["webhook"]',
        'id': 'str',
        'url': 'str',
        'events': 'list[str]',
        'description': 'Union[str, None]',
        'headers': 'dict[str, str]',
        'filter': 'PayloadFilter',
        'rate_limit': 'Union[int, None]',
        'max_in_flight': 'int',
        'owner': 'dict[str, Any]',
        'status': 'Literal["enabled", "disabled"]',
        'disabled_reason': 'Union[str, None]',
        'secret': NotRequired['str'],
        'secrets': 'list[dict[str, Any]]',
        'failing_since': 'Union[str, None]',
        'last_delivered': 'Union[str, None]',
        'version': 'int',
        'created': 'str',
        'updated': 'str',
    },
)

WebhookCondition = TypedDict(
    "WebhookCondition",
    {
        'object': 'Literal["webhook_condition"]',
        'webhook_id': 'str',
        'open_deliveries': 'int',
        'open_deliveries_complete': 'bool',
        'failing_deliveries': 'int',
        'disabled': 'Union[str, None]',
    },
)

WebhookList = TypedDict(
    "WebhookList",
    {
        'object': 'Literal["list"]',
        'has_more': 'bool',
        'next_cursor': 'Union[str, None]',
        'data': 'list[Webhook]',
    },
)

Window = TypedDict(
    "Window",
    {
        'from': 'CalendarDate',
        'to': 'CalendarDate',
    },
)

Workspace = TypedDict(
    "Workspace",
    {
        'object': 'Literal["workspace"]',
        'id': 'str',
        'name': 'str',
        'slug': 'str',
        'plan': 'Literal["free", "pro", "business", "enterprise"]',
        'strict_event_scopes': 'bool',
        'version': 'int',
        'created': 'str',
        'updated': 'str',
    },
)

WorkspaceSettings = TypedDict(
    "WorkspaceSettings",
    {
        'object': 'Literal["workspace_settings"]',
        'created': 'Instant',
        'updated': 'Instant',
        'version': 'int',
        'time_zone': 'str',
        'base_currency': 'str',
        'max_wait_hours': 'int',
        'anomaly_detection': 'bool',
        'issuer': NotRequired['Union[Issuer, None]'],
    },
)

WorkspaceSettingsPatch = TypedDict(
    "WorkspaceSettingsPatch",
    {
        'time_zone': NotRequired['Union[str, None]'],
        'base_currency': NotRequired['Union[str, None]'],
        'max_wait_hours': NotRequired['Union[int, None]'],
        'anomaly_detection': NotRequired['Union[bool, None]'],
        'issuer': NotRequired['Union[IssuerPatch, None]'],
    },
)

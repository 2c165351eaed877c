# Holds what the OpenAPI document says of operations. Generated from it by `npm run generate`.
# It must never be edited by hand.
from __future__ import annotations

from typing import Any, Literal, Optional, Union

from . import types as t
from .answer import Answer


class Operations:
    def _call(
        self,
        method: str,
        path: str,
        *,
        path_parameters: Optional[dict[str, str]] = None,
        query: Optional[dict[str, Any]] = None,
        body: Any = None,
        content_type: Optional[str] = None,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[Any]:
        raise NotImplementedError

    def read_protected_resource(
        self,
    ) -> Answer[t.ProtectedResource]:
        """Where tokens for this API come from (RFC 9728)."""
        return self._call("GET", "/.well-known/oauth-protected-resource", path_parameters={})

    def list_anomalies(
        self,
        *,
        status: Optional[list[Literal["open", "acknowledged", "resolved", "dismissed"]]] = None,
        metric: Optional[list[str]] = None,
        brand: Optional[list[str]] = None,
        severity: Optional[list[Literal["low", "medium", "high"]]] = None,
        day_gte: Optional[t.CalendarDate] = None,
        day_lte: Optional[t.CalendarDate] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.AnomalyList]:
        """Lists anomalies. Scope: stats:read."""
        return self._call("GET", "/v1/anomalies", path_parameters={}, query={"status": status, "metric": metric, "brand": brand, "severity": severity, "day[gte]": day_gte, "day[lte]": day_lte, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def read_anomaly(
        self,
        id: str,
    ) -> Answer[t.Anomaly]:
        """Reads an anomaly. Scope: stats:read."""
        return self._call("GET", "/v1/anomalies/{id}", path_parameters={"id": id})

    def acknowledge_anomaly(
        self,
        id: str,
        body: Optional[t.AnomalyNote] = None,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Anomaly]:
        """Takes an open anomaly on. Scope: campaigns:write."""
        return self._call("POST", "/v1/anomalies/{id}/acknowledge", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def dismiss_anomaly(
        self,
        id: str,
        body: t.AnomalyDismissal,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Anomaly]:
        """Ends an anomaly as not being one. Scope: campaigns:write."""
        return self._call("POST", "/v1/anomalies/{id}/dismiss", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def resolve_anomaly(
        self,
        id: str,
        body: Optional[t.AnomalyNote] = None,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Anomaly]:
        """Ends an anomaly as dealt with. Scope: campaigns:write."""
        return self._call("POST", "/v1/anomalies/{id}/resolve", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def list_automation_rules(
        self,
        *,
        enabled: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.AutomationRuleList]:
        """Lists automation rules. Scope: campaigns:read."""
        return self._call("GET", "/v1/automation-rules", path_parameters={}, query={"enabled": enabled, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_automation_rule(
        self,
        body: t.NewAutomationRule,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.AutomationRule]:
        """Saves an automation rule. Scope: campaigns:write."""
        return self._call("POST", "/v1/automation-rules", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_automation_rule(
        self,
        id: str,
    ) -> Answer[t.AutomationRule]:
        """Reads an automation rule. Scope: campaigns:read."""
        return self._call("GET", "/v1/automation-rules/{id}", path_parameters={"id": id})

    def update_automation_rule(
        self,
        id: str,
        body: t.AutomationRulePatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.AutomationRule]:
        """Changes an automation rule. Scope: campaigns:write."""
        return self._call("PATCH", "/v1/automation-rules/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def delete_automation_rule(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[None]:
        """Deletes an automation rule for good. Scope: campaigns:write."""
        return self._call("DELETE", "/v1/automation-rules/{id}", path_parameters={"id": id}, if_match=if_match)

    def disable_automation_rule(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.AutomationRule]:
        """Switches a rule off. Scope: campaigns:write."""
        return self._call("POST", "/v1/automation-rules/{id}/disable", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def dry_run_automation_rule(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.AutomationDryRun]:
        """Says for which subjects the rule would fire now. Scope: campaigns:read."""
        return self._call("POST", "/v1/automation-rules/{id}/dry-run", path_parameters={"id": id}, idempotency_key=idempotency_key)

    def enable_automation_rule(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.AutomationRule]:
        """Switches a rule on. Scope: campaigns:write."""
        return self._call("POST", "/v1/automation-rules/{id}/enable", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def list_firings(
        self,
        id: str,
        *,
        status: Optional[list[Literal["succeeded", "partially_failed", "failed", "suppressed", "simulated"]]] = None,
        subject_id: Optional[list[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.FiringList]:
        """Lists the firings of a rule. Scope: campaigns:read."""
        return self._call("GET", "/v1/automation-rules/{id}/firings", path_parameters={"id": id}, query={"status": status, "subject_id": subject_id, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def list_brands(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.BrandList]:
        """Lists the brands of the workspace. Scope: stats:read."""
        return self._call("GET", "/v1/brands", path_parameters={}, query={"limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def read_brand(
        self,
        slug: str,
    ) -> Answer[t.Brand]:
        """Reads a brand. Scope: stats:read."""
        return self._call("GET", "/v1/brands/{slug}", path_parameters={"slug": slug})

    def change_brand(
        self,
        slug: str,
        body: t.BrandPatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.Brand]:
        """Changes a brand. Scope: integrations:write."""
        return self._call("PATCH", "/v1/brands/{slug}", path_parameters={"slug": slug}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def list_campaigns(
        self,
        *,
        status: Optional[list[Literal["draft", "active", "paused", "archived"]]] = None,
        brand: Optional[list[str]] = None,
        integration_id: Optional[list[str]] = None,
        external_id: Optional[list[str]] = None,
        tag: Optional[list[str]] = None,
        merged_into: Optional[list[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.CampaignList]:
        """Lists campaigns. Scope: campaigns:read."""
        return self._call("GET", "/v1/campaigns", path_parameters={}, query={"status": status, "brand": brand, "integration_id": integration_id, "external_id": external_id, "tag": tag, "merged_into": merged_into, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_campaign(
        self,
        body: t.NewCampaign,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Adds a campaign before its source reports of it. Scope: campaigns:write."""
        return self._call("POST", "/v1/campaigns", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_campaign(
        self,
        id: str,
    ) -> Answer[t.Campaign]:
        """Reads a campaign. Scope: campaigns:read."""
        return self._call("GET", "/v1/campaigns/{id}", path_parameters={"id": id})

    def update_campaign(
        self,
        id: str,
        body: t.CampaignPatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Changes a campaign. Scope: campaigns:write."""
        return self._call("PATCH", "/v1/campaigns/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def activate_campaign(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Makes a draft active. Scope: campaigns:write."""
        return self._call("POST", "/v1/campaigns/{id}/activate", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def archive_campaign(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Archives a campaign for good; its stats stay. Scope: campaigns:write."""
        return self._call("POST", "/v1/campaigns/{id}/archive", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def merge_campaign(
        self,
        id: str,
        body: t.CampaignMerge,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Merges a campaign into another one of its integration, for good. Scope: campaigns:write."""
        return self._call("POST", "/v1/campaigns/{id}/merge", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def pause_campaign(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Pauses a campaign; rows that still arrive are stored. Scope: campaigns:write."""
        return self._call("POST", "/v1/campaigns/{id}/pause", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def resume_campaign(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Campaign]:
        """Makes a paused campaign active again. Scope: campaigns:write."""
        return self._call("POST", "/v1/campaigns/{id}/resume", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def read_tracking_link(
        self,
        id: str,
        *,
        sub_affiliate: Optional[str] = None,
    ) -> Answer[t.TrackingLink]:
        """Shows the link by which a sub-affiliate's players come. Scope: campaigns:read."""
        return self._call("GET", "/v1/campaigns/{id}/tracking-link", path_parameters={"id": id}, query={"sub_affiliate": sub_affiliate})

    def list_commission_plans(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.CommissionPlanList]:
        """Lists commission plans. Scope: invoices:read."""
        return self._call("GET", "/v1/commission-plans", path_parameters={}, query={"limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_commission_plan(
        self,
        body: t.NewCommissionPlan,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.CommissionPlan]:
        """Makes a commission plan, by which sub-affiliates are paid. Scope: invoices:write."""
        return self._call("POST", "/v1/commission-plans", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_commission_plan(
        self,
        id: str,
    ) -> Answer[t.CommissionPlan]:
        """Reads a commission plan. Scope: invoices:read."""
        return self._call("GET", "/v1/commission-plans/{id}", path_parameters={"id": id})

    def update_commission_plan(
        self,
        id: str,
        body: t.CommissionPlanPatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.CommissionPlan]:
        """Renames a commission plan. Scope: invoices:write."""
        return self._call("PATCH", "/v1/commission-plans/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def list_dead_letters(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        webhook_id: Optional[str] = None,
        type: Optional[str] = None,
        reason: Optional[Literal["attempts_exhausted", "subscription_disabled", "subscription_deleted"]] = None,
        error_code: Optional[Literal["none", "timeout", "dns_not_found", "dns_failed", "connection_refused", "connection_reset", "connection_failed", "tls_expired", "tls_wrong_host", "tls_untrusted", "tls_failed", "destination_not_allowed", "http_status", "response_invalid", "response_too_large"]] = None,
        status_class: Optional[Literal["1xx", "2xx", "3xx", "4xx", "5xx"]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> Answer[t.DeliveryList]:
        """Dead deliveries of all subscriptions, newest first. Scope: webhooks:manage."""
        return self._call("GET", "/v1/dead-letters", path_parameters={}, query={"cursor": cursor, "limit": limit, "webhook_id": webhook_id, "type": type, "reason": reason, "error_code": error_code, "status_class": status_class, "since": since, "until": until})

    def list_dead_letter_causes(
        self,
        *,
        webhook_id: Optional[str] = None,
        type: Optional[str] = None,
        reason: Optional[Literal["attempts_exhausted", "subscription_disabled", "subscription_deleted"]] = None,
        error_code: Optional[Literal["none", "timeout", "dns_not_found", "dns_failed", "connection_refused", "connection_reset", "connection_failed", "tls_expired", "tls_wrong_host", "tls_untrusted", "tls_failed", "destination_not_allowed", "http_status", "response_invalid", "response_too_large"]] = None,
        status_class: Optional[Literal["1xx", "2xx", "3xx", "4xx", "5xx"]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> Answer[t.DeadLetterCauses]:
        """Dead letters grouped by cause, with how many, the oldest and the newest, most first. Scope: webhooks:manage."""
        return self._call("GET", "/v1/dead-letters/causes", path_parameters={}, query={"webhook_id": webhook_id, "type": type, "reason": reason, "error_code": error_code, "status_class": status_class, "since": since, "until": until})

    def read_statistics(
        self,
        *,
        webhook_id: Optional[list[str]] = None,
        interval: Optional[Literal["hour", "day"]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> Answer[t.DeliveryStatistics]:
        """Attempts by outcome and what they took, for each subscription and for all. Scope: webhooks:manage."""
        return self._call("GET", "/v1/deliveries/statistics", path_parameters={}, query={"webhook_id": webhook_id, "interval": interval, "since": since, "until": until})

    def read_delivery(
        self,
        id: str,
    ) -> Answer[t.DeliveryDetail]:
        """A delivery with its attempts, epochs and event. Scope: webhooks:manage."""
        return self._call("GET", "/v1/deliveries/{id}", path_parameters={"id": id})

    def retry_delivery(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.DeliveryDetail]:
        """Opens a new epoch of a delivery. Scope: webhooks:manage."""
        return self._call("POST", "/v1/deliveries/{id}/retry", path_parameters={"id": id}, idempotency_key=idempotency_key)

    def list_event_types(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        stability: Optional[list[Literal["stable", "beta", "deprecated"]]] = None,
    ) -> Answer[t.EventTypeList]:
        """The event types, in the order of the catalog."""
        return self._call("GET", "/v1/event-types", path_parameters={}, query={"cursor": cursor, "limit": limit, "stability": stability})

    def read_event_type(
        self,
        type: str,
    ) -> Answer[t.EventType]:
        """One event type with its schema and example."""
        return self._call("GET", "/v1/event-types/{type}", path_parameters={"type": type})

    def read_event_type_example(
        self,
        type: str,
    ) -> Answer[t.Event]:
        """An example event of a type, as it is delivered."""
        return self._call("GET", "/v1/event-types/{type}/example", path_parameters={"type": type})

    def read_event_type_schema(
        self,
        type: str,
    ) -> Answer[t.JsonSchema]:
        """The JSON Schema (2020-12) of the events of a type."""
        return self._call("GET", "/v1/event-types/{type}/schema", path_parameters={"type": type})

    def list_events(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        type: Optional[list[str]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> Answer[t.EventList]:
        """The events of 30 days, oldest first. Scope: webhooks:manage."""
        return self._call("GET", "/v1/events", path_parameters={}, query={"cursor": cursor, "limit": limit, "type": type, "since": since, "until": until})

    def read_event(
        self,
        id: str,
    ) -> Answer[t.Event]:
        """An event of the last 30 days, as subscribers get it. Scope: webhooks:manage."""
        return self._call("GET", "/v1/events/{id}", path_parameters={"id": id})

    def list_exports(
        self,
        *,
        status: Optional[list[Literal["queued", "running", "completed", "failed", "canceled"]]] = None,
        type: Optional[list[Literal["stats", "invoices", "campaigns", "sub_affiliates", "ledger_entries", "payouts"]]] = None,
        format: Optional[list[Literal["csv", "ndjson"]]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.ExportList]:
        """Lists exports. Scope: any."""
        return self._call("GET", "/v1/exports", path_parameters={}, query={"status": status, "type": type, "format": format, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_export(
        self,
        body: t.NewExport,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Export]:
        """Asks for a file of stats, or of all rows of a list. Scope: any."""
        return self._call("POST", "/v1/exports", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_export(
        self,
        id: str,
    ) -> Answer[t.Export]:
        """Reads an export and how far it is. Scope: any."""
        return self._call("GET", "/v1/exports/{id}", path_parameters={"id": id})

    def delete_export(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[None]:
        """Deletes an export and its file, also while it is made. Scope: any."""
        return self._call("DELETE", "/v1/exports/{id}", path_parameters={"id": id}, if_match=if_match)

    def cancel_export(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Export]:
        """Cancels an export that waits or runs. Scope: any."""
        return self._call("POST", "/v1/exports/{id}/cancel", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def read_export_file(
        self,
        id: str,
    ) -> Answer[bytes]:
        """Fetches the file of a completed export, as often as wanted until it expires. Scope: any."""
        return self._call("GET", "/v1/exports/{id}/file", path_parameters={"id": id})

    def read_firing(
        self,
        id: str,
    ) -> Answer[t.Firing]:
        """Reads a firing. Scope: campaigns:read."""
        return self._call("GET", "/v1/firings/{id}", path_parameters={"id": id})

    def list_imports(
        self,
        *,
        status: Optional[list[Literal["queued", "running", "completed", "completed_with_errors", "failed", "canceled"]]] = None,
        integration_id: Optional[list[str]] = None,
        type: Optional[list[Literal["stats", "fx_rates", "invoice_payments", "campaigns"]]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.ImportList]:
        """Lists imports. Scope: any."""
        return self._call("GET", "/v1/imports", path_parameters={}, query={"status": status, "integration_id": integration_id, "type": type, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_import(
        self,
        body: Union[bytes, str],
        *,
        type: Literal["stats", "fx_rates", "invoice_payments", "campaigns"],
        integration_id: Optional[str] = None,
        source: Optional[str] = None,
        covers_from: Optional[t.CalendarDate] = None,
        covers_to: Optional[t.CalendarDate] = None,
        content_type: Literal["text/csv", "application/x-ndjson"],
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Import]:
        """Takes in a file. Scope: any."""
        return self._call("POST", "/v1/imports", path_parameters={}, query={"type": type, "integration_id": integration_id, "source": source, "covers_from": covers_from, "covers_to": covers_to}, body=body, content_type=content_type, idempotency_key=idempotency_key)

    def read_import(
        self,
        id: str,
    ) -> Answer[t.Import]:
        """Reads an import. Scope: any."""
        return self._call("GET", "/v1/imports/{id}", path_parameters={"id": id})

    def cancel_import(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Import]:
        """Cancels an import; no row of it is stored, but payments and campaigns that are recorded stay. Scope: any."""
        return self._call("POST", "/v1/imports/{id}/cancel", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def read_import_errors(
        self,
        id: str,
    ) -> Answer[bytes]:
        """Reads the rejected lines of an import. Scope: any."""
        return self._call("GET", "/v1/imports/{id}/errors", path_parameters={"id": id})

    def list_integrations(
        self,
        *,
        status: Optional[list[Literal["pending", "active", "broken", "paused"]]] = None,
        provider: Optional[list[str]] = None,
        brand: Optional[list[str]] = None,
        tag: Optional[list[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.IntegrationList]:
        """Lists integrations. Scope: integrations:read."""
        return self._call("GET", "/v1/integrations", path_parameters={}, query={"status": status, "provider": provider, "brand": brand, "tag": tag, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_integration(
        self,
        body: t.NewIntegration,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Integration]:
        """Connects a source, with its brand if the slug is new. Scope: integrations:write."""
        return self._call("POST", "/v1/integrations", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_integration(
        self,
        id: str,
    ) -> Answer[t.Integration]:
        """Reads an integration. Scope: integrations:read."""
        return self._call("GET", "/v1/integrations/{id}", path_parameters={"id": id})

    def patch_integration(
        self,
        id: str,
        body: t.IntegrationPatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.Integration]:
        """Changes an integration. Scope: integrations:write."""
        return self._call("PATCH", "/v1/integrations/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def delete_integration(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[None]:
        """Deletes an integration; its stats stay. Scope: integrations:write."""
        return self._call("DELETE", "/v1/integrations/{id}", path_parameters={"id": id}, if_match=if_match)

    def pause_integration(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Integration]:
        """Pauses an integration and cancels what is open of it. Scope: integrations:write."""
        return self._call("POST", "/v1/integrations/{id}/pause", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def resume_integration(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Integration]:
        """Resumes a paused integration. Scope: integrations:write."""
        return self._call("POST", "/v1/integrations/{id}/resume", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def rotate_postback_token(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Integration]:
        """Makes another address for postbacks and shows it once; the one before is good for 24 hours more. Scope: integrations:write."""
        return self._call("POST", "/v1/integrations/{id}/rotate-postback-token", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def test_integration(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.IntegrationTest]:
        """Asks the source as a run would and shows the first rows; stores nothing. Scope: integrations:write."""
        return self._call("POST", "/v1/integrations/{id}/test", path_parameters={"id": id}, idempotency_key=idempotency_key)

    def list_integration_sync_runs(
        self,
        integration_id: str,
        *,
        status: Optional[list[Literal["queued", "running", "retry_wait", "succeeded", "failed", "canceled"]]] = None,
        trigger: Optional[list[Literal["schedule", "manual", "retry", "backfill", "upload"]]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.SyncRunList]:
        """Lists the sync runs of an integration. Scope: integrations:read."""
        return self._call("GET", "/v1/integrations/{integration_id}/sync-runs", path_parameters={"integration_id": integration_id}, query={"status": status, "trigger": trigger, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def start_sync_run(
        self,
        integration_id: str,
        body: Optional[t.SyncRunWish] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SyncRun]:
        """Starts a sync run; a window before the lookback makes it a backfill. Scope: integrations:write."""
        return self._call("POST", "/v1/integrations/{integration_id}/sync-runs", path_parameters={"integration_id": integration_id}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def list_invoices(
        self,
        *,
        status: Optional[list[Literal["draft", "generated", "sent", "overdue", "paid", "void"]]] = None,
        brand: Optional[list[str]] = None,
        currency: Optional[list[str]] = None,
        disputed: Optional[bool] = None,
        due_lt: Optional[t.CalendarDate] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.InvoiceList]:
        """Lists invoices. Scope: invoices:read."""
        return self._call("GET", "/v1/invoices", path_parameters={}, query={"status": status, "brand": brand, "currency": currency, "disputed": disputed, "due[lt]": due_lt, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_invoice(
        self,
        body: t.NewInvoice,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Drafts an invoice of a period, or a credit note. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_invoice(
        self,
        id: str,
    ) -> Answer[t.Invoice]:
        """Reads an invoice. Scope: invoices:read."""
        return self._call("GET", "/v1/invoices/{id}", path_parameters={"id": id})

    def update_invoice(
        self,
        id: str,
        body: t.InvoicePatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Changes an invoice. Scope: invoices:write."""
        return self._call("PATCH", "/v1/invoices/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def read_invoice_csv(
        self,
        id: str,
    ) -> Answer[bytes]:
        """Fetches the lines of an invoice as CSV. Scope: invoices:read."""
        return self._call("GET", "/v1/invoices/{id}.csv", path_parameters={"id": id})

    def read_invoice_pdf(
        self,
        id: str,
    ) -> Answer[bytes]:
        """Fetches an invoice as PDF. Scope: invoices:read."""
        return self._call("GET", "/v1/invoices/{id}.pdf", path_parameters={"id": id})

    def dispute_invoice(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Notes that the brand contests an invoice. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices/{id}/dispute", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def generate_invoice(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Gives a draft its number and its final lines. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices/{id}/generate", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def list_invoice_lines(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Answer[t.InvoiceLineList]:
        """Lists the lines of an invoice in their order. Scope: invoices:read."""
        return self._call("GET", "/v1/invoices/{id}/line-items", path_parameters={"id": id}, query={"limit": limit, "cursor": cursor})

    def record_invoice_payment(
        self,
        id: str,
        body: t.NewPayment,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Records a payment of an invoice, a part of what is due or all of it. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices/{id}/record-payment", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def resolve_invoice_dispute(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Ends a dispute. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices/{id}/resolve-dispute", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def send_invoice(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Records how an invoice was sent; nothing is sent by the service. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices/{id}/send", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def void_invoice(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Invoice]:
        """Makes an invoice void; its days may be invoiced again. Scope: invoices:write."""
        return self._call("POST", "/v1/invoices/{id}/void", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def read_open_api(
        self,
    ) -> Answer[dict[str, Any]]:
        """This file, of the whole API."""
        return self._call("GET", "/v1/openapi.json", path_parameters={})

    def list_payouts(
        self,
        *,
        status: Optional[list[t.PayoutStatus]] = None,
        sub_affiliate_id: Optional[list[str]] = None,
        held: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.PayoutList]:
        """Lists payouts. Scope: invoices:read."""
        return self._call("GET", "/v1/payouts", path_parameters={}, query={"status": status, "sub_affiliate_id": sub_affiliate_id, "held": held, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_payout(
        self,
        body: t.NewPayout,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Schedules a payout to an active sub-affiliate. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_payout(
        self,
        id: str,
    ) -> Answer[t.Payout]:
        """Reads a payout. Scope: invoices:read."""
        return self._call("GET", "/v1/payouts/{id}", path_parameters={"id": id})

    def cancel_payout(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Cancels a scheduled payout; its amount is available again. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts/{id}/cancel", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def hold_payout(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Holds a scheduled payout until it is released. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts/{id}/hold", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def mark_payout_failed(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Records that a payout was refused; its amount is available again. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts/{id}/mark-failed", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def mark_payout_paid(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Records that a payout was paid. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts/{id}/mark-paid", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def record_payout_return(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Records once that a paid payout came back; its amount is available again. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts/{id}/record-return", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def release_payout(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Payout]:
        """Releases a payout that is held. Scope: invoices:write."""
        return self._call("POST", "/v1/payouts/{id}/release", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def list_providers(
        self,
    ) -> Answer[t.ProviderList]:
        """Lists what an integration can be made of. Scope: integrations:read."""
        return self._call("GET", "/v1/providers", path_parameters={})

    def read_provider(
        self,
        provider: str,
    ) -> Answer[t.Provider]:
        """Reads a provider, with the JSON Schema of its settings. Scope: integrations:read."""
        return self._call("GET", "/v1/providers/{provider}", path_parameters={"provider": provider})

    def list_replays(
        self,
        *,
        status: Optional[list[Literal["queued", "running", "paused", "completed", "canceled", "failed"]]] = None,
        webhook_id: Optional[list[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.ReplayList]:
        """Lists replays, newest first. Scope: webhooks:manage."""
        return self._call("GET", "/v1/replays", path_parameters={}, query={"status": status, "webhook_id": webhook_id, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def replay_dead_letters(
        self,
        body: t.NewReplayOfDeadLetters,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[Union[t.ReplayDryRun, t.Replay]]:
        """Replays dead letters of all subscriptions, by the filters of their list, or up to 100 deliveries. Scope: webhooks:manage."""
        return self._call("POST", "/v1/replays", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_replay(
        self,
        id: str,
    ) -> Answer[t.Replay]:
        """Reads a replay with its progress. Scope: webhooks:manage."""
        return self._call("GET", "/v1/replays/{id}", path_parameters={"id": id})

    def cancel_replay(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Replay]:
        """Opens no more; what is open goes on. Scope: webhooks:manage."""
        return self._call("POST", "/v1/replays/{id}/cancel", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def pause_replay(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Replay]:
        """Opens no more until it is resumed; what is open goes on. Scope: webhooks:manage."""
        return self._call("POST", "/v1/replays/{id}/pause", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def resume_replay(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Replay]:
        """Goes on behind what was opened. Scope: webhooks:manage."""
        return self._call("POST", "/v1/replays/{id}/resume", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def read_settings(
        self,
    ) -> Answer[t.WorkspaceSettings]:
        """Reads the workspace's settings. Scope: any."""
        return self._call("GET", "/v1/settings", path_parameters={})

    def change_settings(
        self,
        body: t.WorkspaceSettingsPatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.WorkspaceSettings]:
        """Changes the workspace's settings. Scope: any."""
        return self._call("PATCH", "/v1/settings", path_parameters={}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def query_stats(
        self,
        *,
        from_: t.CalendarDate,
        to: t.CalendarDate,
        group_by: Optional[list[Literal["day", "week", "month", "brand", "campaign", "integration", "country", "sub_affiliate", "currency"]]] = None,
        metrics: Optional[list[str]] = None,
        time_zone: Optional[str] = None,
        currency: Optional[str] = None,
        rate_set: Optional[str] = None,
        compare: Optional[Literal["previous_period", "previous_period_weekday_aligned", "previous_month", "previous_year"]] = None,
        finality: Optional[Literal["any", "final_only"]] = None,
        filter_brand: Optional[list[str]] = None,
        filter_campaign: Optional[list[str]] = None,
        filter_integration: Optional[list[str]] = None,
        filter_country: Optional[list[str]] = None,
        filter_sub_affiliate: Optional[list[str]] = None,
        filter_currency: Optional[list[str]] = None,
        filter_not_brand: Optional[list[str]] = None,
        filter_not_campaign: Optional[list[str]] = None,
        filter_not_integration: Optional[list[str]] = None,
        filter_not_country: Optional[list[str]] = None,
        filter_not_sub_affiliate: Optional[list[str]] = None,
        filter_not_currency: Optional[list[str]] = None,
        order_by: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Answer[t.Stats]:
        """Sums stats by dimensions. Scope: stats:read."""
        return self._call("GET", "/v1/stats", path_parameters={}, query={"from": from_, "to": to, "group_by": group_by, "metrics": metrics, "time_zone": time_zone, "currency": currency, "rate_set": rate_set, "compare": compare, "finality": finality, "filter[brand]": filter_brand, "filter[campaign]": filter_campaign, "filter[integration]": filter_integration, "filter[country]": filter_country, "filter[sub_affiliate]": filter_sub_affiliate, "filter[currency]": filter_currency, "filter_not[brand]": filter_not_brand, "filter_not[campaign]": filter_not_campaign, "filter_not[integration]": filter_not_integration, "filter_not[country]": filter_not_country, "filter_not[sub_affiliate]": filter_not_sub_affiliate, "filter_not[currency]": filter_not_currency, "order_by": order_by, "limit": limit, "cursor": cursor})

    def list_stats_days(
        self,
        *,
        from_: Optional[t.CalendarDate] = None,
        to: Optional[t.CalendarDate] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Answer[t.StatsDayList]:
        """Lists the days of stats, the last one first. Scope: stats:read."""
        return self._call("GET", "/v1/stats/days", path_parameters={}, query={"from": from_, "to": to, "limit": limit, "cursor": cursor})

    def read_stats_day(
        self,
        date: str,
    ) -> Answer[t.StatsDay]:
        """Reads a day of stats. Scope: stats:read."""
        return self._call("GET", "/v1/stats/days/{date}", path_parameters={"date": date})

    def post_stats_query(
        self,
        body: t.StatsQuery,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Stats]:
        """Sums stats by dimensions, asked for as JSON. Scope: stats:read."""
        return self._call("POST", "/v1/stats/query", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def accept_sub_affiliate_invitation(
        self,
        token: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[dict[str, Any]]:
        """Accepts an invitation; the token of its link is the proof."""
        return self._call("POST", "/v1/sub-affiliate-invitations/{token}/accept", path_parameters={"token": token}, idempotency_key=idempotency_key)

    def list_sub_affiliates(
        self,
        *,
        status: Optional[list[t.SubAffiliateStatus]] = None,
        plan_id: Optional[list[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.SubAffiliateList]:
        """Lists sub-affiliates. Scope: invoices:read."""
        return self._call("GET", "/v1/sub-affiliates", path_parameters={}, query={"status": status, "plan_id": plan_id, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def create_sub_affiliate(
        self,
        body: t.NewSubAffiliate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Invites a sub-affiliate, or adds one that is active at once. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_sub_affiliate(
        self,
        id: str,
    ) -> Answer[t.SubAffiliate]:
        """Reads a sub-affiliate. Scope: invoices:read."""
        return self._call("GET", "/v1/sub-affiliates/{id}", path_parameters={"id": id})

    def update_sub_affiliate(
        self,
        id: str,
        body: t.SubAffiliatePatch,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Changes a sub-affiliate. Scope: invoices:write."""
        return self._call("PATCH", "/v1/sub-affiliates/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def adjust_sub_affiliate(
        self,
        id: str,
        body: dict[str, Any],
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.LedgerEntry]:
        """Posts an adjustment to the ledger of a sub-affiliate. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates/{id}/adjustments", path_parameters={"id": id}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_sub_affiliate_balance(
        self,
        id: str,
    ) -> Answer[t.SubAffiliateBalance]:
        """Reads what a sub-affiliate has earned. Scope: invoices:read."""
        return self._call("GET", "/v1/sub-affiliates/{id}/balance", path_parameters={"id": id})

    def invite_sub_affiliate(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Invites again a sub-affiliate whose link was lost or has expired; the answer shows the new link once, the former one is void. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates/{id}/invite", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def list_ledger_entries(
        self,
        id: str,
        *,
        kind: Optional[list[Literal["accrual", "adjustment", "carryover", "payout", "payout_reversal"]]] = None,
        month: Optional[list[t.LedgerMonth]] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Answer[t.LedgerEntryList]:
        """Lists the ledger of a sub-affiliate, newest first. Scope: invoices:read."""
        return self._call("GET", "/v1/sub-affiliates/{id}/ledger", path_parameters={"id": id}, query={"kind": kind, "month": month, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt, "limit": limit, "cursor": cursor})

    def list_payouts_of_sub_affiliate(
        self,
        id: str,
        *,
        status: Optional[list[t.PayoutStatus]] = None,
        held: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.PayoutList]:
        """Lists the payouts of a sub-affiliate. Scope: invoices:read."""
        return self._call("GET", "/v1/sub-affiliates/{id}/payouts", path_parameters={"id": id}, query={"status": status, "held": held, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def change_sub_affiliate_plan(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Gives a sub-affiliate another commission plan from a day on. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates/{id}/plan", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def reactivate_sub_affiliate(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Ends a suspension. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates/{id}/reactivate", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def remove_sub_affiliate(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Removes a sub-affiliate for good. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates/{id}/remove", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def suspend_sub_affiliate(
        self,
        id: str,
        body: dict[str, Any],
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SubAffiliate]:
        """Suspends a sub-affiliate, which goes on to earn and is not paid. Scope: invoices:write."""
        return self._call("POST", "/v1/sub-affiliates/{id}/suspend", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def list_sync_runs(
        self,
        *,
        integration_id: Optional[list[str]] = None,
        status: Optional[list[Literal["queued", "running", "retry_wait", "succeeded", "failed", "canceled"]]] = None,
        trigger: Optional[list[Literal["schedule", "manual", "retry", "backfill", "upload"]]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_gte: Optional[t.Instant] = None,
        created_gt: Optional[t.Instant] = None,
        created_lte: Optional[t.Instant] = None,
        created_lt: Optional[t.Instant] = None,
    ) -> Answer[t.SyncRunList]:
        """Lists sync runs. Scope: integrations:read."""
        return self._call("GET", "/v1/sync-runs", path_parameters={}, query={"integration_id": integration_id, "status": status, "trigger": trigger, "limit": limit, "cursor": cursor, "created[gte]": created_gte, "created[gt]": created_gt, "created[lte]": created_lte, "created[lt]": created_lt})

    def read_sync_run(
        self,
        id: str,
    ) -> Answer[t.SyncRun]:
        """Reads a sync run. Scope: integrations:read."""
        return self._call("GET", "/v1/sync-runs/{id}", path_parameters={"id": id})

    def cancel_sync_run(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SyncRun]:
        """Cancels a sync run; no row of it is stored. Scope: integrations:write."""
        return self._call("POST", "/v1/sync-runs/{id}/cancel", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def retry_sync_run(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.SyncRun]:
        """Starts a new run with the window of a failed or canceled one. Scope: integrations:write."""
        return self._call("POST", "/v1/sync-runs/{id}/retry", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def list_webhooks(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        status: Optional[Literal["enabled", "disabled"]] = None,
    ) -> Answer[t.WebhookList]:
        """Lists subscriptions, newest first. Scope: webhooks:manage."""
        return self._call("GET", "/v1/webhooks", path_parameters={}, query={"cursor": cursor, "limit": limit, "status": status})

    def create_webhook(
        self,
        body: t.CreateWebhook,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Webhook]:
        """Makes a subscription; the secret is shown once. Scope: webhooks:manage."""
        return self._call("POST", "/v1/webhooks", path_parameters={}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def preview_strict_event_scopes(
        self,
    ) -> Answer[dict[str, Any]]:
        """Which subscriptions would stop getting which events with `strict_event_scopes`. Scope: webhooks:manage."""
        return self._call("GET", "/v1/webhooks/strict-event-scopes", path_parameters={})

    def read_webhook(
        self,
        id: str,
    ) -> Answer[t.Webhook]:
        """Reads a subscription. Scope: webhooks:manage."""
        return self._call("GET", "/v1/webhooks/{id}", path_parameters={"id": id})

    def update_webhook(
        self,
        id: str,
        body: t.UpdateWebhook,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[t.Webhook]:
        """Changes a subscription. Scope: webhooks:manage."""
        return self._call("PATCH", "/v1/webhooks/{id}", path_parameters={"id": id}, body=body, content_type="application/merge-patch+json", if_match=if_match)

    def delete_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Answer[None]:
        """Deletes a subscription and ends its open deliveries. Scope: webhooks:manage."""
        return self._call("DELETE", "/v1/webhooks/{id}", path_parameters={"id": id}, if_match=if_match)

    def read_webhook_condition(
        self,
        id: str,
    ) -> Answer[t.WebhookCondition]:
        """What waits for a subscription, and since when it is disabled. Scope: webhooks:manage."""
        return self._call("GET", "/v1/webhooks/{id}/condition", path_parameters={"id": id})

    def list_deliveries(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        status: Optional[list[Literal["pending", "retry", "replay", "delivered", "dead", "failed"]]] = None,
        type: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        event_id: Optional[str] = None,
    ) -> Answer[t.DeliveryList]:
        """The history of a subscription, newest event first. Scope: webhooks:manage."""
        return self._call("GET", "/v1/webhooks/{id}/deliveries", path_parameters={"id": id}, query={"cursor": cursor, "limit": limit, "status": status, "type": type, "since": since, "until": until, "event_id": event_id})

    def disable_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Webhook]:
        """Switches a subscription off and ends its open deliveries. Scope: webhooks:manage."""
        return self._call("POST", "/v1/webhooks/{id}/disable", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def enable_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Webhook]:
        """Switches a subscription on again. Scope: webhooks:manage."""
        return self._call("POST", "/v1/webhooks/{id}/enable", path_parameters={"id": id}, if_match=if_match, idempotency_key=idempotency_key)

    def replay_webhook(
        self,
        id: str,
        body: t.NewReplayOfWebhook,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[Union[t.ReplayDryRun, t.Replay]]:
        """Replays a period of a subscription, or up to 100 of its deliveries. Scope: webhooks:manage."""
        return self._call("POST", "/v1/webhooks/{id}/replays", path_parameters={"id": id}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def rotate_webhook_secret(
        self,
        id: str,
        body: Optional[t.RotateWebhookSecret] = None,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.Webhook]:
        """Gives a subscription a new signing secret, shown once. Scope: webhooks:manage."""
        return self._call("POST", "/v1/webhooks/{id}/rotate-secret", path_parameters={"id": id}, body=body, content_type="application/json", if_match=if_match, idempotency_key=idempotency_key)

    def test_webhook(
        self,
        id: str,
        body: Optional[t.TestWebhook] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Answer[t.DeliveryDetail]:
        """Sends the catalog's example of an event type to this subscription only. Scope: webhooks:manage."""
        return self._call("POST", "/v1/webhooks/{id}/test", path_parameters={"id": id}, body=body, content_type="application/json", idempotency_key=idempotency_key)

    def read_workspace(
        self,
    ) -> Answer[t.Workspace]:
        """The workspace that the token names, or the current one of the session. Scope: any."""
        return self._call("GET", "/v1/workspace", path_parameters={})

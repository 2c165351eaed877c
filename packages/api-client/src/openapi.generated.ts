// Holds the shapes of the concepts' openapi.yaml. Generated from them by `npm run generate`.
// It must never be edited by hand.
export interface paths {
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where tokens for this API come from (RFC 9728) */
        get: operations["readProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The accounts at upstream providers with which the person signs in, newest first */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/identities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disconnects an account, with a sign-in of the last 10 minutes; every other session of the person ends */
        delete: operations["disconnectIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the person is signed in, used last first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Signs the person out there; another session than this one with a sign-in of the last 10 minutes */
        delete: operations["endOneSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/sessions/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends all sessions of the person but this one, with a sign-in of the last 10 minutes */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/anomalies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists anomalies */
        get: operations["listAnomalies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/anomalies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an anomaly */
        get: operations["readAnomaly"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/anomalies/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes an open anomaly on */
        post: operations["acknowledgeAnomaly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/anomalies/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends an anomaly as not being one */
        post: operations["dismissAnomaly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/anomalies/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends an anomaly as dealt with */
        post: operations["resolveAnomaly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the workspace's API keys, revoked ones for 31 days */
        get: operations["listApiKeys"];
        put?: never;
        /** Makes a key, which is shown once */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads what a key may do */
        get: operations["readApiKey"];
        put?: never;
        post?: never;
        /** Revokes a key for good */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /** Changes name, scopes or ranges of a key */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a key a new text, shown once; the one before ends after the overlap
         * @description The key keeps its id, rights and end. Within an overlap only `overlap_hours` 0 is taken; it ends every text of before at once.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists automation rules */
        get: operations["listAutomationRules"];
        put?: never;
        /**
         * Saves an automation rule
         * @description Needs, beside `campaigns:write`, the scope of each action: `integrations:write` for `trigger_sync`, `invoices:write` for `hold_payout`, `draft_invoices` and `generate_invoices`. The rule acts for who saved or enabled it last, as long as they may do the same. A workspace has 100 at most.
         */
        post: operations["createAutomationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an automation rule */
        get: operations["readAutomationRule"];
        put?: never;
        post?: never;
        /** Deletes an automation rule for good */
        delete: operations["deleteAutomationRule"];
        options?: never;
        head?: never;
        /**
         * Changes an automation rule
         * @description Needs, beside `campaigns:write`, the scope of each action of the changed rule.
         */
        patch: operations["updateAutomationRule"];
        trace?: never;
    };
    "/v1/automation-rules/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switches a rule off */
        post: operations["disableAutomationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation-rules/{id}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says for which subjects the rule would fire now
         * @description Nothing is done or told. The brakes are left out. Of a rule that an event triggers: for which it would fire if the event came now; nothing is listed where it has no conditions.
         */
        post: operations["dryRunAutomationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation-rules/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches a rule on
         * @description Needs, beside `campaigns:write`, the scope of each action.
         */
        post: operations["enableAutomationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation-rules/{id}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Lists the firings of a rule */
        get: operations["listFirings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the brands of the workspace */
        get: operations["listBrands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/brands/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        /** Reads a brand */
        get: operations["readBrand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes a brand
         * @description Null sets `vertical` to `other` and leaves `default_currency` out. Answers and events go on naming the slug. `legal` needs `invoices:write` as well, and is merged member by member.
         */
        patch: operations["changeBrand"];
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists campaigns */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Adds a campaign before its source reports of it
         * @description A source's rows make the campaigns that they name by themselves. A workspace has 10,000 at most. One whose external id the integration has already is answered with 409 `already_exists`, which names it.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a campaign */
        get: operations["readCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes a campaign */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/v1/campaigns/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a draft active */
        post: operations["activateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archives a campaign for good; its stats stay */
        post: operations["archiveCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merges a campaign into another one of its integration, for good
         * @description It is archived, and its rows, those to come among them, count for the other one wherever numbers are asked for by campaign: stats, anomalies, rules, invoices drawn up from then on. Neither row nor final day changes. What was merged into it follows. Entries of ledgers and invoices that exist keep the campaign that they name. A campaign takes up 100 others at most (409 `limit_reached`); it must not be archived itself.
         */
        post: operations["mergeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pauses a campaign; rows that still arrive are stored */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a paused campaign active again */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/tracking-link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /**
         * Shows the link by which a sub-affiliate's players come
         * @description The campaign's tracking address with the sub-id, percent-encoded, wherever `{sub_id}` stands in it. The sub-id is the external id of the sub-affiliate, by which rows name it. Whether a sub-affiliate has it is not looked at.
         */
        get: operations["readTrackingLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commission-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists commission plans */
        get: operations["listCommissionPlans"];
        put?: never;
        /**
         * Makes a commission plan, by which sub-affiliates are paid
         * @description `cpa` needs `cpa`, `revshare` needs `revshare_bps`, `hybrid` both, `tiered` needs `tiers`. The terms never change: other terms are another plan.
         */
        post: operations["createCommissionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commission-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a commission plan */
        get: operations["readCommissionPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Renames a commission plan */
        patch: operations["updateCommissionPlan"];
        trace?: never;
    };
    "/v1/connected-apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the apps that people of the workspace have allowed; members and viewers see their own */
        get: operations["listConnectedApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connected-apps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads what an app was allowed */
        get: operations["readConnectedApp"];
        put?: never;
        post?: never;
        /** Ends the grant; its tokens are refused */
        delete: operations["endConnectedApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connected-apps/end-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends every grant that the list shows, of a member or viewer one's own; their tokens are refused */
        post: operations["endAllConnectedApps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Dead deliveries of all subscriptions, newest first
         * @description A page reads 10,000 of them at most. Where fewer than `limit` match, it is short, possibly empty, with `has_more` true; `next_cursor` goes on behind them.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/causes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Dead letters grouped by cause, with how many, the oldest and the newest, most first
         * @description A cause is the reason, then the error class of the last attempt, then, where that is `http_status`, the class of the status. Each
         *     group's three fields are filters that list it: `GET /v1/dead-letters?reason=…&error_code=…&status_class=…`, with `error_code=none`
         *     where it is null.
         *
         *     The newest 100,000 dead letters of the workspace in the period are looked at. Where there are more, `counted_since` tells how far
         *     back they go: ask again with `until` for what is older.
         */
        get: operations["listDeadLetterCauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery with its attempts, epochs and event */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a new epoch of a delivery */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attempts by outcome and what they took, for each subscription and for all
         * @description By UTC hour or day, counted where the attempt ended. `since` and `until` are widened to whole hours or days. Counts are kept for
         *     90 days. Deleted subscriptions are left out, attempts that were released are no attempts.
         */
        get: operations["readStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The event types, in the order of the catalog */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-types/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of an event type. */
                type: components["parameters"]["type"];
            };
            cookie?: never;
        };
        /** One event type with its schema and example */
        get: operations["readEventType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-types/{type}/example": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of an event type. */
                type: components["parameters"]["type"];
            };
            cookie?: never;
        };
        /** An example event of a type, as it is delivered */
        get: operations["readEventTypeExample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-types/{type}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of an event type. */
                type: components["parameters"]["type"];
            };
            cookie?: never;
        };
        /** The JSON Schema (2020-12) of the events of a type */
        get: operations["readEventTypeSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of 30 days, oldest first
         * @description The event log of 30 UTC days, today included, for those who cannot receive calls: each event as subscribers get it, in the order in which the events came in,
         *     which is nearly that of `created`. Events of tests are not in it.
         *
         *     `next_cursor` always comes, also at the end of the list, where `has_more` is false: ask again with it, as often as you like, and
         *     you get what has come in since, each event once. Where the event behind a cursor is older than 30 days: 409 `event_expired`.
         *
         *     A page reads 10,000 events at most. Where fewer than `limit` of them match, it is short, possibly empty, with `has_more` true.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An event of the last 30 days, as subscribers get it */
        get: operations["readEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists exports
         * @description Those of types whose scope the token has: `stats:read` for `stats`, `campaigns:read` for `campaigns`, `invoices:read` for `invoices`, `sub_affiliates`, `ledger_entries` and `payouts`; one of another type answers 403.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Asks for a file of stats, or of all rows of a list
         * @description Needs the scope of its type: `stats:read` for `stats`, `campaigns:read` for `campaigns`, else `invoices:read`. The file is made in the background, with all rows of the query or list, at most 1,000,000, as they are when it begins. Of a workspace 10 exports wait or run at a time (429), it has at most 10,000, and their files take at most 1 GiB (409 `limit_reached`): one that is not needed any more is deleted. An export changes no record and emits no event.
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an export and how far it is */
        get: operations["readExport"];
        put?: never;
        post?: never;
        /** Deletes an export and its file, also while it is made */
        delete: operations["deleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels an export that waits or runs */
        post: operations["cancelExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /**
         * Fetches the file of a completed export, as often as wanted until it expires
         * @description CSV has a header line and CRLF. A text that begins with `=`, `+`, `-`, `@`, tab, carriage return or line feed gets a leading `'`, so
         *     that no spreadsheet takes it for a formula. NDJSON has one row a line. Money is in minor units.
         *
         *     One of stats has the columns of a stats row, with `compare` also `…_compare`, `…_delta` and `…_delta_pct` of each metric; in NDJSON
         *     its rows are as `data` of a stats answer. Others have, newest first, in NDJSON what their list shows, and in CSV these columns;
         *     ledger entries stand by sub-affiliate, the newest of each first:
         *
         *     - `invoices`: `id`, `number`, `kind`, `status`, `brand_slug`, `period_from`, `period_to`, `time_zone`, `currency`,
         *       `line_items_count`, `subtotal`, `tax_amount`, `total`, `amount_paid`, `amount_due`, `dispute_reason`, `created`, `issued`, `sent`,
         *       `due`, `paid`, `voided`, `replaces`, `replaced_by`, `memo`.
         *     - `campaigns`: `id`, `name`, `status`, `integration_id`, `external_id`, `brand_slug`, `merged_into`, `tags`, `countries`, `tracking_url`,
         *       `landing_url`, `starts`, `ends`, `deal_type`, `deal_cpa_amount`, `deal_cpa_currency`, `deal_revshare_bps`, `created`, `updated`.
         *       Of several tags and countries they stand in one cell, as in a filter of a list.
         *     - `sub_affiliates`: `id`, `name`, `email`, `status`, `external_id`, `country`, `time_zone`, `plan_id`, `payout_currency`,
         *       `payout_method_type`, `minimum_payout_amount`, `minimum_payout_currency`, `balance_currency`, `balance_pending`,
         *       `balance_available`, `balance_paid_total`, `created`, `joined`, `invitation_expires`. `name` and `email` (masked) are empty where
         *       they are erased before the file expires.
         *     - `ledger_entries`: `id`, `created`, `sub_affiliate_id`, `kind`, `reason`, `amount`, `currency`, `balance_after`, `day`, `month`,
         *       `integration_id`, `campaign_id`, `row_amount`, `row_currency`, `stats_revision`, `plan_id`, `rate_bps`, `fx_rate`,
         *       `fx_rate_set`, `note`, `source`, `source_id`.
         *     - `payouts`: `id`, `status`, `sub_affiliate_id`, `amount`, `currency`, `period_from`, `period_to`, `entries`, `scheduled_for`,
         *       `time_zone`, `held_reason`, `created`, `paid`, `returned`, `failure_code`, `reference`.
         *
         *     With compression `gzip` the file is a gzip file, not an encoded answer. The bytes never change. Of a workspace 16 files are fetched
         *     at a time (429), each read within a time for its size. 409 `invalid_state` until the export is completed.
         */
        get: operations["readExportFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/firings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a firing */
        get: operations["readFiring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists imports
         * @description Those of types whose scope the token has, `integrations:read` for `stats` and `fx_rates`, `invoices:read` for `invoice_payments`, `campaigns:read` for `campaigns`; one of another type answers 403.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Takes in a file
         * @description Needs, as its cancel does, the scope of its type: `integrations:write` for `stats` and `fx_rates`, `invoices:write` for `invoice_payments`, `campaigns:write` for `campaigns`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an import */
        get: operations["readImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels an import; no row of it is stored, but payments and campaigns that are recorded stay */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /**
         * Reads the rejected lines of an import
         * @description In the order of lines, at most the first 100,000, of a failed import the first 1,000; kept for 30 days. All are counted in `rejected`.
         */
        get: operations["readImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists integrations */
        get: operations["listIntegrations"];
        put?: never;
        /** Connects a source, with its brand if the slug is new */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an integration */
        get: operations["readIntegration"];
        put?: never;
        post?: never;
        /** Deletes an integration; its stats stay */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /** Changes an integration */
        patch: operations["patchIntegration"];
        trace?: never;
    };
    "/v1/integrations/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pauses an integration and cancels what is open of it */
        post: operations["pauseIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resumes a paused integration */
        post: operations["resumeIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}/rotate-postback-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes another address for postbacks and shows it once; the one before is good for 24 hours more */
        post: operations["rotatePostbackToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the source as a run would and shows the first rows; stores nothing */
        post: operations["testIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{integration_id}/sync-runs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: components["parameters"]["integration_id"];
            };
            cookie?: never;
        };
        /** Lists the sync runs of an integration */
        get: operations["listIntegrationSyncRuns"];
        put?: never;
        /** Starts a sync run; a window before the lookback makes it a backfill */
        post: operations["startSyncRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists invoices */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Drafts an invoice of a period, or a credit note
         * @description An invoice needs `brand_slug`, `period` and `currency`; its lines are drawn from the commissions of that brand in that currency, per campaign, as they are now, and drawn anew when it is generated. A credit note (`kind` `credit_note`) needs `replaces` and `line_items`, and corrects an invoice that was paid, in part or whole; what credit notes give back is at most the invoice's total.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an invoice */
        get: operations["readInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes an invoice
         * @description A draft takes all of these. Once it is generated, only memo, metadata and a later due date change. `line_items` replaces the lines that people added; those drawn from stats stay.
         */
        patch: operations["updateInvoice"];
        trace?: never;
    };
    "/v1/invoices/{id}.csv": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /**
         * Fetches the lines of an invoice as CSV
         * @description A header line, then a record for each line; CRLF. Amounts are minor units of the currency.
         */
        get: operations["readInvoiceCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /**
         * Fetches an invoice as PDF
         * @description A4, in English, the same bytes each time. One that was generated names issuer and brand as they were then; a draft, which is marked DRAFT, as they are now; one that is void is marked VOID. At most 10,000 lines (422 `result_too_large`). One PDF is written at a time; 503 after 10 s without a turn.
         */
        get: operations["readInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Notes that the brand contests an invoice */
        post: operations["disputeInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a draft its number and its final lines
         * @description All days of the period must be final, else 409 `period_not_final`. The lines are drawn anew, with one for each day that was restated since it was invoiced. Numbers go up by one within the year of the workspace, without a gap.
         */
        post: operations["generateInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/line-items": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /**
         * Lists the lines of an invoice in their order
         * @description Lines of a draft may change between two pages.
         */
        get: operations["listInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/record-payment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records a payment of an invoice, a part of what is due or all of it
         * @description A payment has the sign of `amount_due` and is not larger (422 `overpayment`); its reference is new within the invoice (409 `already_exists`). After 1,000 payments of a part only one of the rest is taken (409 `limit_reached`).
         */
        post: operations["recordInvoicePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/resolve-dispute": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a dispute */
        post: operations["resolveInvoiceDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Records how an invoice was sent; nothing is sent by the service */
        post: operations["sendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes an invoice void; its days may be invoiced again
         * @description One with payments is corrected by a credit note instead (409 `invoice_has_payments`).
         */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The members of the workspace, newest first */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** A member */
        get: operations["readMember"];
        put?: never;
        post?: never;
        /** Removes a member, or leaves the workspace */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Gives a member another role */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/members/{id}/losses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** What another role, or the removal, would take from a member now */
        get: operations["readMemberLosses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A link for a forgotten password, by an owner, for a member of this workspace alone */
        post: operations["makePasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The open invitations, newest first */
        get: operations["listInvitations"];
        put?: never;
        /** Invites a person, by a link that is shown once */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends an open invitation */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the workspace's OAuth apps */
        get: operations["listOAuthApps"];
        put?: never;
        /** Registers an app; its client secret is shown once */
        post: operations["registerOAuthApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads an app */
        get: operations["readOAuthApp"];
        put?: never;
        post?: never;
        /** Deletes an app and ends its grants */
        delete: operations["deleteOAuthApp"];
        options?: never;
        head?: never;
        /**
         * Changes an app
         * @description A scope that is added widens no grant. One that is removed is refused in tokens that were issued before.
         */
        patch: operations["updateOAuthApp"];
        trace?: never;
    };
    "/v1/oauth-apps/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** The last 100 OAuth errors of an app with their true reasons, newest first */
        get: operations["listOAuthErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps/{id}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces the logo */
        post: operations["changeOAuthAppLogo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an app in development live, once all its redirect URLs are on https */
        post: operations["publishOAuthApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps/{id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a client secret, shown once; the one before ends after the overlap */
        post: operations["addClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps/{id}/secrets/{secret_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
                secret_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a client secret at once */
        delete: operations["endClientSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth-apps/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many people allowed each of these apps, and its last OAuth error */
        get: operations["readOAuthAppUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This file, of the whole API */
        get: operations["readOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists payouts */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Schedules a payout to an active sub-affiliate
         * @description All that is available, unless `amount` says less. It is taken from the balance at once: more than is available is 422 `insufficient_balance`, less than the minimum payout of the sub-affiliate 422 `below_minimum`. At most 100 of a sub-affiliate are scheduled at a time, held ones among them (409 `limit_reached`). On its day, by default today in the workspace's zone, it begins to be processed. The service moves no money; it records what the bank did.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a payout */
        get: operations["readPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a scheduled payout; its amount is available again */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Holds a scheduled payout until it is released */
        post: operations["holdPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/mark-failed": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Records that a payout was refused; its amount is available again */
        post: operations["markPayoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/mark-paid": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that a payout was paid
         * @description Also before its day, unless it is held or its sub-affiliate is suspended.
         */
        post: operations["markPayoutPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/record-return": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records once that a paid payout came back; its amount is available again
         * @description It stays paid, with `returned`.
         */
        post: operations["recordPayoutReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Releases a payout that is held
         * @description Where its day has come meanwhile, it begins to be processed at once.
         */
        post: operations["releasePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what an integration can be made of */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        /** Reads a provider, with the JSON Schema of its settings */
        get: operations["readProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists replays, newest first
         * @description A replay is shown for 90 days after its last change.
         */
        get: operations["listReplays"];
        put?: never;
        /**
         * Replays dead letters of all subscriptions, by the filters of their list, or up to 100 deliveries
         * @description Without a filter all dead letters of the workspace. Those of subscriptions that are disabled or deleted, and of events older
         *     than 30 days, are left out; a dry run tells how many. Refused as the replay of one subscription is; one without `webhook_id`
         *     overlaps with every other one.
         */
        post: operations["replayDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a replay with its progress */
        get: operations["readReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens no more; what is open goes on */
        post: operations["cancelReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens no more until it is resumed; what is open goes on */
        post: operations["pauseReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replays/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Goes on behind what was opened */
        post: operations["resumeReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and in which workspace */
        get: operations["readSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs the person out in this browser */
        post: operations["endSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/end-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends all sessions of the person, this one too */
        post: operations["endAllSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes another workspace the current one */
        post: operations["switchWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An access token of five minutes for the pages, with the scopes of the role */
        post: operations["makeConsoleToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the workspace's settings */
        get: operations["readSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the workspace's settings
         * @description No scope opens it: an owner or admin changes them in the console (403 `session_required` for any other token, 403 `role_not_allowed` for a member or viewer). Null sets a field to its default. `issuer` is merged member by member.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sums stats by dimensions */
        get: operations["queryStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the days of stats, the last one first */
        get: operations["listStatsDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats/days/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                date: string;
            };
            cookie?: never;
        };
        /** Reads a day of stats */
        get: operations["readStatsDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sums stats by dimensions, asked for as JSON
         * @description The same query as GET /v1/stats, for those whose lists are too long for an address. It changes nothing.
         */
        post: operations["postStatsQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliate-invitations/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts an invitation; the token of its link is the proof
         * @description One that was used, has expired or never was is the same 404. The link itself leads to a page whose form does the same.
         */
        post: operations["acceptSubAffiliateInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists sub-affiliates
         * @description E-mail addresses are masked; the sub-affiliate itself shows its own.
         */
        get: operations["listSubAffiliates"];
        put?: never;
        /**
         * Invites a sub-affiliate, or adds one that is active at once
         * @description The answer alone shows `invitation_url`, the link to hand on: it is good once, for 14 days. The service sends no mail. With `invite` false there is no invitation. The plan counts from `effective_from` on, by default from today in the workspace's zone; its month must not be closed (422 `period_closed`).
         */
        post: operations["createSubAffiliate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a sub-affiliate */
        get: operations["readSubAffiliate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes a sub-affiliate */
        patch: operations["updateSubAffiliate"];
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Posts an adjustment to the ledger of a sub-affiliate
         * @description In the payout currency. The month must not be closed (422 `period_closed`), and not lie behind the first open one from the present one on. One before the first integration is closed only once a day of it has rows; until then the amount is pending. Once it was removed, only what brings its whole balance
         *     to 0 is posted, such as after a payout came back (else 409 `invalid_state`).
         */
        post: operations["adjustSubAffiliate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads what a sub-affiliate has earned */
        get: operations["readSubAffiliateBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invites again a sub-affiliate whose link was lost or has expired; the answer shows the new link once, the former one is void */
        post: operations["inviteSubAffiliate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Lists the ledger of a sub-affiliate, newest first */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Lists the payouts of a sub-affiliate */
        get: operations["listPayoutsOfSubAffiliate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a sub-affiliate another commission plan from a day on
         * @description By default from today in the workspace's zone. The month of that day must not be closed (422 `period_closed`). Plans that would begin on that day or later do not begin any more, but in later months that are closed already each day keeps its plan.
         */
        post: operations["changeSubAffiliatePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a suspension */
        post: operations["reactivateSubAffiliate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes a sub-affiliate for good
         * @description Name, e-mail address and payout details are erased 90 days later. While a payout of it is not over it cannot be removed (409 `balance_not_zero`).
         */
        post: operations["removeSubAffiliate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-affiliates/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspends a sub-affiliate, which goes on to earn and is not paid */
        post: operations["suspendSubAffiliate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists sync runs */
        get: operations["listSyncRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Reads a sync run */
        get: operations["readSyncRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync-runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a sync run; no row of it is stored */
        post: operations["cancelSyncRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync-runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a new run with the window of a failed or canceled one */
        post: operations["retrySyncRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists subscriptions, newest first */
        get: operations["listWebhooks"];
        put?: never;
        /** Makes a subscription; the secret is shown once */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a subscription */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /** Deletes a subscription and ends its open deliveries */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Changes a subscription */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/condition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits for a subscription, and since when it is disabled */
        get: operations["readWebhookCondition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The history of a subscription, newest event first
         * @description A page reads 10,000 deliveries at most. Where fewer than `limit` of them match, it is short, possibly empty, with `has_more` true; `next_cursor` goes on behind them.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switches a subscription off and ends its open deliveries */
        post: operations["disableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches a subscription on again
         * @description 409 `invalid_state` with an empty `allowed` while deliveries from before it was disabled are still being ended; try again a moment later.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replays a period of a subscription, or up to 100 of its deliveries
         * @description Either `since` or `delivery_ids` is required. A period replays stored deliveries of the states in `status`, and `missing`
         *     events: those that match the subscription as it is now and have no delivery, because it was disabled, did not ask for the
         *     type or did not exist then. It begins within the 30 days (UTC, today included) for which events are shown (422 `period_too_old`), and a
         *     subscription has one open replay of a period at a time (409 `replay_already_running`, with its `replay_id`). 422
         *     `nothing_matched` where there is nothing to replay. `dry_run` counts and stores nothing.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a subscription a new signing secret, shown once
         * @description Until the overlap is over each request is signed with the new secret and the old ones, newest first. With 0 the old ones end at once. 409 `limit_reached` where 32 secrets would be live.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends the catalog's example of an event type to this subscription only
         * @description A real, signed delivery with an event id of its own. It stands in the subscription's history, not in the event log, and no filter keeps it. 409 `webhook_disabled` while the subscription is disabled; 429 after 10 tests of a workspace in a minute.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/strict-event-scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which subscriptions would stop getting which events with `strict_event_scopes`
         * @description Of all subscriptions as they were saved last, those that ask for types which the scopes of whoever saved them do not open. Where the workspace has `strict_event_scopes` already (`strict`), these are stopped now. Saving one again with the scopes mends it.
         */
        get: operations["previewStrictEventScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workspace that the token names, or the current one of the session */
        get: operations["readWorkspace"];
        put?: never;
        post?: never;
        /** Deletes the workspace; its keys, tokens and grants end */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /** Changes name, slug or strict_event_scopes */
        patch: operations["changeWorkspace"];
        trace?: never;
    };
    "/v1/workspace/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what, newest first; kept for 365 days
         * @description A page reads 10,000 entries at most. Where fewer than `limit` of them match, it is short, possibly empty, with `has_more` true; `next_cursor` goes on behind them.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountSession: {
            /** @description From which it was started. */
            address: string | null;
            created: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            /** @description The one that asks. */
            is_current: boolean;
            /** @description To the minute. */
            last_used: components["schemas"]["Instant"];
            /** @constant */
            object: "account_session";
            /** @description As the browser said of itself when it was started. */
            user_agent: string | null;
        };
        /** @description In minor units of the currency. */
        Amount: number;
        /** @description A metric of a brand that left its baseline on a day, or that a rule names one. */
        Anomaly: {
            /** @description Days or weeks that it was compared with. */
            baseline_days: number;
            campaign_ids: components["schemas"]["Id"][];
            created: components["schemas"]["Instant"];
            /** @description Of money; counts have none. */
            currency: string | null;
            day: components["schemas"]["CalendarDate"];
            /** @description What the series is of; null where it is of all. */
            dimension: {
                brand_slug: string | null;
                campaign_id: string | null;
                country: string | null;
                integration_id: string | null;
            };
            /** @enum {unknown} */
            direction: "spike" | "drop";
            expected: number | null;
            id: components["schemas"]["Id"];
            /** @description The day was final when it was found; it is not told again when it becomes so. */
            is_final_day: boolean;
            /** @description The band within which the value was expected. */
            lower: number | null;
            /** @description `seasonal_robust_v1`; `rule`: an automation rule made it; the list is open. */
            method: string;
            /** @description `clicks`, `signups`, `ftds`, `ngr` or `commission`; the list is open. */
            metric: string;
            note: components["schemas"]["AnomalyText"];
            /** @constant */
            object: "anomaly";
            /** @description Money in minor units. */
            observed: number;
            /**
             * @description Why it was dismissed.
             * @enum {unknown}
             */
            reason: "expected" | "data_error" | "not_useful" | "other" | null;
            /** @enum {unknown} */
            resolution: "restated" | "recovered" | "user" | null;
            /** @description How many times its usual spread the value lies away. */
            score: number | null;
            /** @enum {unknown} */
            severity: "low" | "medium" | "high";
            /** @enum {unknown} */
            status: "open" | "acknowledged" | "resolved" | "dismissed";
            /** @description By which the day is counted. */
            time_zone: string;
            updated: components["schemas"]["Instant"];
            upper: number | null;
            version: number;
            /** @description The numbers are the sum of so many days that end with `day`; 7: of a week. */
            window_days: number;
        };
        AnomalyDismissal: {
            note?: components["schemas"]["AnomalyText"];
            /** @enum {unknown} */
            reason: "expected" | "data_error" | "not_useful" | "other";
        };
        AnomalyList: {
            data: components["schemas"]["Anomaly"][];
        } & components["schemas"]["List"];
        AnomalyNote: {
            note?: components["schemas"]["AnomalyText"];
        };
        AnomalyText: string | null;
        ApiKey: {
            cidrs: string[];
            created: components["schemas"]["Instant"];
            /** @description The person who made it; null: the operator. */
            creator: string | null;
            /** @description When the key will be revoked, because nobody has used, changed or rotated it for 365 days; null until 30 days before. */
            ends_unused: components["schemas"]["MaybeInstant"];
            expires: components["schemas"]["MaybeInstant"];
            id: components["schemas"]["Id"];
            /** @description The minute in which the key was last let in, told some minutes later; null for never. */
            last_used: components["schemas"]["MaybeInstant"];
            last4: string;
            name: string;
            /** @constant */
            object: "api_key";
            /** @description The first characters of the key. */
            prefix: string;
            /** @description Until when an older text of the key is accepted as well. */
            previous_ends: components["schemas"]["MaybeInstant"];
            scopes: components["schemas"]["Scope"][];
            /** @enum {unknown} */
            status: "live" | "expired" | "revoked";
            updated: components["schemas"]["Instant"];
            version: number;
        };
        ApiKeyList: {
            data: components["schemas"]["ApiKey"][];
        } & components["schemas"]["List"];
        ApiKeyPatch: {
            cidrs?: components["schemas"]["Cidrs"] | null;
            name?: components["schemas"]["Name"];
            scopes?: components["schemas"]["KeyScopes"];
        };
        AppScopes: components["schemas"]["Scope"][];
        Attempt: {
            delivery_id: string;
            /** @description Rounded up to 50 ms. */
            duration_ms: number | null;
            epoch: number;
            error_code: string | null;
            /**
             * Format: date-time
             * @description started and duration_ms together.
             */
            finished: string | null;
            id: string | null;
            number: number;
            /** @constant */
            object: "attempt";
            /** @enum {unknown} */
            outcome: "started" | "succeeded" | "failed" | "unknown";
            /**
             * @description The first 1 KiB of the answer, secrets taken out. Null without an answer, and for one with a `Content-Encoding`, which
             *     was not asked for.
             */
            response_excerpt: string | null;
            response_status: number | null;
            signature_timestamp: number | null;
            /** Format: date-time */
            started: string;
            trace_id: string | null;
            url: string | null;
        };
        AttemptNumbers: {
            attempts: components["schemas"]["Count"];
            /** @description Failed attempts by `error_code`. */
            errors: {
                [key: string]: components["schemas"]["Count"];
            };
            failed: components["schemas"]["Count"];
            p50_ms: components["schemas"]["DurationBound"];
            p95_ms: components["schemas"]["DurationBound"];
            succeeded: components["schemas"]["Count"];
            unknown: components["schemas"]["Count"];
        };
        AttemptPeriod: components["schemas"]["AttemptNumbers"] & {
            /** Format: date-time */
            start: string;
        };
        AttemptSeries: {
            /** @description Hours or days with attempts, oldest first. */
            periods: components["schemas"]["AttemptPeriod"][];
            total: components["schemas"]["AttemptNumbers"];
        };
        AuditEntry: {
            /** @description Such as member_added, sign_in. */
            action: string;
            /** @description Such as user:usr_…, system:operator. */
            actor: string;
            address: string | null;
            created: components["schemas"]["Instant"];
            id: string;
            /** @constant */
            object: "audit_entry";
            /** @enum {unknown} */
            outcome: "done" | "refused";
            request_id: string;
            /** @description Id of the thing; of an account upstream, its issuer. */
            target: string | null;
            user_agent: string | null;
        };
        AutomationDryRun: {
            data: {
                actions: string[];
                evidence: components["schemas"]["RuleEvidence"];
                subject_id: string;
                subject_type: string;
            }[];
            /** @constant */
            object: "automation_dry_run";
            rule_id: components["schemas"]["Id"];
        };
        /** @description Watches the stats, or waits for events, and acts when its conditions are met. */
        AutomationRule: {
            actions: components["schemas"]["RuleActions"];
            conditions: components["schemas"]["RuleCondition"][];
            cooldown_minutes: number;
            created: components["schemas"]["Instant"];
            /** @description `user`, `loop_detected`, `authorization_revoked`, `too_many_failures`; may grow. */
            disabled_reason: string | null;
            dry_run: boolean;
            enabled: boolean;
            final_days_only: boolean;
            /** @description Those that the actions needed then. */
            granted_scopes: string[];
            id: components["schemas"]["Id"];
            max_fires_per_day: number;
            min_sample: components["schemas"]["RuleMinSample"];
            name: string;
            /** @constant */
            object: "automation_rule";
            /** @description Who saved or enabled it last; the rule acts for them. */
            principal: {
                id: string;
                /** @enum {unknown} */
                type: "user" | "client" | "api_key";
            };
            scope: components["schemas"]["RuleScope"];
            subject_type: components["schemas"]["RuleSubjectType"];
            trigger: components["schemas"]["RuleTrigger"];
            updated: components["schemas"]["Instant"];
            version: number;
            window: components["schemas"]["RuleWindow"];
        };
        AutomationRuleList: {
            data: components["schemas"]["AutomationRule"][];
        } & components["schemas"]["List"];
        AutomationRulePatch: {
            actions?: components["schemas"]["RuleActions"];
            conditions?: components["schemas"]["GivenRuleConditions"];
            cooldown_minutes?: number | null;
            dry_run?: boolean | null;
            final_days_only?: boolean | null;
            max_fires_per_day?: number | null;
            min_sample?: {
                [key: string]: number | null;
            } | null;
            name?: components["schemas"]["Name"];
            scope?: components["schemas"]["GivenRuleScope"] | null;
            subject_type?: components["schemas"]["RuleSubjectType"];
            trigger?: components["schemas"]["RuleTriggerPatch"];
            window?: components["schemas"]["RuleWindow"];
        };
        BillTo: {
            legal: components["schemas"]["Party"] | null;
            /** @description Of the brand. */
            name: string;
        };
        /** @description What integrations report on. It comes into being with the first integration that names its slug (`brand` of POST /v1/integrations). */
        Brand: {
            created: components["schemas"]["Instant"];
            default_currency: string | null;
            /** @description Its company, as invoices name it. Shown to tokens with `invoices:read`. */
            legal?: components["schemas"]["Party"] | null;
            /** @description The slug unless it was told. */
            name: string;
            /** @constant */
            object: "brand";
            /** @description Never changes; `brand_slug` elsewhere. */
            slug: string;
            updated: components["schemas"]["Instant"];
            version: number;
            /** @description Open: casino, sportsbook, poker, bingo, lottery, forex, other. */
            vertical: string;
        };
        BrandList: {
            data: components["schemas"]["Brand"][];
        } & components["schemas"]["List"];
        BrandPatch: {
            default_currency?: string | null;
            legal?: components["schemas"]["PartyPatch"] | null;
            name?: components["schemas"]["Name"];
            vertical?: string | null;
        };
        /** Format: date */
        CalendarDate: string;
        /** @description The affiliate's own grouping of traffic to one brand. */
        Campaign: {
            /** @description Of the integration. */
            brand_slug: string;
            countries: string[];
            created: components["schemas"]["Instant"];
            deal: components["schemas"]["Deal"];
            ends: string | null;
            external_id: string;
            id: components["schemas"]["Id"];
            integration_id: components["schemas"]["Id"];
            landing_url: string | null;
            /** @description The campaign that its rows count for; itself merged into none. */
            merged_into: components["schemas"]["Id"] | null;
            metadata: components["schemas"]["Metadata"];
            name: string;
            /** @constant */
            object: "campaign";
            starts: string | null;
            /** @enum {unknown} */
            status: "draft" | "active" | "paused" | "archived";
            tags: components["schemas"]["Tags"];
            tracking_url: string | null;
            updated: components["schemas"]["Instant"];
            version: number;
        };
        /** @description Filters as those of the list of campaigns; all of them without any. At most 32,768 characters as JSON. */
        CampaignExportQuery: {
            brand?: string[];
            "created[gt]"?: components["schemas"]["Instant"];
            "created[gte]"?: components["schemas"]["Instant"];
            "created[lt]"?: components["schemas"]["Instant"];
            "created[lte]"?: components["schemas"]["Instant"];
            external_id?: string[];
            integration_id?: string[];
            merged_into?: string[];
            status?: ("draft" | "active" | "paused" | "archived")[];
            tag?: string[];
        };
        CampaignList: {
            data: components["schemas"]["Campaign"][];
        } & components["schemas"]["List"];
        CampaignMerge: {
            /** @description The campaign that takes it up. */
            into: string;
        };
        CampaignMoney: {
            /** @description In minor units of the currency. */
            amount: number;
            currency: string;
        };
        CampaignPatch: {
            countries?: components["schemas"]["Countries"];
            /** @description Replaces the deal as a whole. */
            deal?: components["schemas"]["GivenDeal"] | null;
            ends?: components["schemas"]["CalendarDate"] | null;
            landing_url?: string | null;
            metadata?: components["schemas"]["MetadataPatch"];
            /** @description Appears in events. */
            name?: components["schemas"]["Name"];
            starts?: components["schemas"]["CalendarDate"] | null;
            tags?: components["schemas"]["Tags"];
            tracking_url?: string | null;
        };
        /** @description Ranges of IPv4 and IPv6 that the key may be used from, such as 203.0.113.0/24; empty for anywhere. */
        Cidrs: string[];
        CodeCounts: {
            [key: string]: components["schemas"]["Count"];
        };
        CommissionPlan: {
            base: components["schemas"]["PlanBase"];
            /** @description Most that a month comes to, in the currency of the payouts. */
            cap: components["schemas"]["PlanMoney"] | null;
            /** @description For each qualified FTD. */
            cpa: components["schemas"]["PlanMoney"] | null;
            created: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            name: string;
            /** @description A negative month counts against the next one; else it is brought to 0. */
            negative_carryover: boolean;
            /** @constant */
            object: "commission_plan";
            revshare_bps: number | null;
            tiers: components["schemas"]["PlanTier"][];
            type: components["schemas"]["PlanType"];
            updated: components["schemas"]["Instant"];
            version: number;
        };
        CommissionPlanList: {
            data: components["schemas"]["CommissionPlan"][];
        } & components["schemas"]["List"];
        CommissionPlanPatch: {
            name?: components["schemas"]["Name"];
        };
        ConnectedApp: {
            /** @description All but the client id are null for an app that was deleted a moment ago. */
            app: {
                client_id: string;
                logo_path: string | null;
                name: string | null;
                /** @description Name of the workspace that the app belongs to. */
                owner_workspace: string | null;
            };
            created: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            /** @description The minute in which the app last got a token. */
            last_used: components["schemas"]["Instant"];
            /** @constant */
            object: "connected_app";
            scopes: components["schemas"]["Scope"][];
            updated: components["schemas"]["Instant"];
            /** @description Who allowed it. */
            user: {
                id: components["schemas"]["Id"];
                name: string | null;
            };
            version: number;
        };
        ConnectedAppList: {
            data: components["schemas"]["ConnectedApp"][];
        } & components["schemas"]["List"];
        Count: number;
        /** @description ISO 3166-1 alpha-2 codes. */
        Countries: string[];
        CreateWebhook: {
            description?: string | null;
            events: string[];
            filter?: components["schemas"]["PayloadFilter"];
            headers?: {
                [key: string]: string;
            };
            max_in_flight?: number;
            rate_limit?: number | null;
            url: string;
        };
        /** @description As the provider's credentials_schema says. Never shown again, and sent to the origin of the feed's address alone: another origin needs them anew. What is given replaces all that was there; null removes it. */
        Credentials: {
            expires?: components["schemas"]["Instant"];
            name?: string;
            password?: string;
            token?: string;
            username?: string;
            value?: string;
        } | null;
        DeadLetterCause: {
            count: components["schemas"]["Count"];
            /** @description Of the last attempt; null where it had none. */
            error_code: string | null;
            /** Format: date-time */
            newest: string;
            /** @constant */
            object: "dead_letter_cause";
            /**
             * Format: date-time
             * @description `created` of the oldest one's event.
             */
            oldest: string;
            reason: string;
            /** @description Of the last answer, such as `5xx`, where `error_code` is `http_status`. */
            status_class: string | null;
            webhooks: {
                count: components["schemas"]["Count"];
                webhook_id: string;
            }[];
        };
        DeadLetterCauses: {
            /**
             * Format: date-time
             * @description Null when all were counted.
             */
            counted_since: string | null;
            data: components["schemas"]["DeadLetterCause"][];
            /** @constant */
            object: "dead_letter_causes";
        };
        /** @description What was agreed with the brand, for checks and invoices. The commission figures of the source count. */
        Deal: {
            baseline: components["schemas"]["DealBaseline"] | null;
            cpa: components["schemas"]["CampaignMoney"] | null;
            negative_carryover: boolean;
            /** @description Of 10000. */
            revshare_bps: number | null;
            /** @enum {unknown} */
            type: "cpa" | "revshare" | "hybrid" | "flat" | "none";
        };
        /** @description What a player must do before the CPA is owed. */
        DealBaseline: {
            min_deposit: components["schemas"]["CampaignMoney"];
            wagering_x: number | null;
        };
        Delivery: {
            attempt: number;
            attempt_under_way: boolean;
            attempts_total: number;
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            dead: string | null;
            dead_reason: string | null;
            /** Format: date-time */
            delivered: string | null;
            epoch: number;
            event_id: string;
            event_type: string;
            id: string;
            last_error_code: string | null;
            last_status: number | null;
            max_attempts: number;
            /** Format: date-time */
            next_attempt: string | null;
            /** @constant */
            object: "delivery";
            /** @enum {unknown} */
            status: "pending" | "retry" | "replay" | "delivered" | "dead";
            /** Format: date-time */
            updated: string;
            version: number;
            webhook_id: string;
        };
        DeliveryDetail: components["schemas"]["Delivery"] & {
            /** @description Of the newest 500 entries of its history, which are epochs, attempts and ends; `attempts_total` counts all. */
            attempts: components["schemas"]["Attempt"][];
            /** @description Of the same entries. */
            epochs: {
                epoch: number;
                /** Format: date-time */
                requested: string;
                requested_by: string | null;
            }[];
            event: object | null;
        };
        DeliveryIds: string[];
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
        } & components["schemas"]["List"];
        DeliveryStatistics: components["schemas"]["AttemptSeries"] & {
            /** @enum {unknown} */
            interval: "hour" | "day";
            /** @constant */
            object: "delivery_statistics";
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            webhooks: (components["schemas"]["AttemptSeries"] & {
                webhook_id: string;
            })[];
        };
        Dispute: {
            note: string | null;
            opened: components["schemas"]["Instant"];
            reason: components["schemas"]["DisputeReason"];
        };
        /** @enum {unknown} */
        DisputeReason: "amount" | "period" | "quality" | "duplicate" | "other";
        /**
         * @description What half, or 95 %, of the attempts took at most: the next greater of 50, 100, 150, 200, 300, 400, 500, 750, 1,000, 1,500, 2,000,
         *     3,000, 5,000, 7,500, 10,000, 15,000, 20,000, 30,000, 45,000, 60,000 and 120,000 ms. Null without an attempt of a known duration.
         */
        DurationBound: number | null;
        Event: {
            /** Format: date-time */
            created: string;
            data: object;
            id: string;
            type: string;
        };
        /** @description A page whose `next_cursor` always comes. */
        EventList: {
            data: components["schemas"]["Event"][];
            has_more: boolean;
            next_cursor: string;
            /** @constant */
            object: "list";
        };
        EventType: components["schemas"]["EventTypeSummary"] & {
            example: components["schemas"]["Event"];
            schema: components["schemas"]["JsonSchema"];
        };
        EventTypeList: {
            data: components["schemas"]["EventTypeSummary"][];
        } & components["schemas"]["List"];
        EventTypeSummary: {
            meaning: string;
            /** @constant */
            object: "event_type";
            /** @description At most one event per this key. */
            once_per: string;
            /** @description Scopes that a workspace with strict_event_scopes asks for besides webhooks:manage, all of them. */
            read_scope: string[];
            /** Format: date */
            since: string;
            /** @enum {unknown} */
            stability: "stable" | "beta" | "deprecated";
            /** @example invoice.paid */
            type: string;
            /** @enum {unknown} */
            volume: "low" | "medium" | "high";
        };
        /** @description A file that is made of a query. */
        Export: {
            /** @description Size of the file so far. */
            bytes: components["schemas"]["Count"];
            /** @enum {unknown} */
            compression: "none" | "gzip";
            created: components["schemas"]["Instant"];
            error: {
                /** @enum {unknown} */
                code: "result_too_large" | "rate_missing" | "amount_overflow" | "time_zone_not_supported" | "invalid_value" | "query_timeout" | "limit_reached" | "internal_error";
                message: string;
            } | null;
            /** @description 7 days after it was asked for; soon after, the export and its file are gone. */
            expires: components["schemas"]["Instant"];
            finished: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            format: "csv" | "ndjson";
            id: components["schemas"]["Id"];
            /** @description What a stats answer says of the same rows; null until they are found, and of other types. */
            meta: components["schemas"]["StatsMeta"] | null;
            /** @constant */
            object: "export";
            query: components["schemas"]["ExportQuery"] | components["schemas"]["InvoiceExportQuery"] | components["schemas"]["CampaignExportQuery"] | components["schemas"]["SubAffiliateExportQuery"] | components["schemas"]["LedgerExportQuery"] | components["schemas"]["PayoutExportQuery"];
            /** @description Rows that stand in the file so far. */
            rows: components["schemas"]["Count"];
            /** @description Rows that it will have; null until they are found. */
            rows_total: number | null;
            started: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            status: "queued" | "running" | "completed" | "failed" | "canceled";
            /** @enum {unknown} */
            type: "stats" | "invoices" | "campaigns" | "sub_affiliates" | "ledger_entries" | "payouts";
            updated: components["schemas"]["Instant"];
            version: number;
        };
        ExportList: {
            data: components["schemas"]["Export"][];
        } & components["schemas"]["List"];
        /** @description A stats query, without `limit` and `cursor`. At most 32,768 characters as JSON. */
        ExportQuery: {
            /** @enum {unknown} */
            compare?: "previous_period" | "previous_period_weekday_aligned" | "previous_month" | "previous_year";
            currency?: string;
            filter?: components["schemas"]["StatsFilter"];
            filter_not?: components["schemas"]["StatsFilter"];
            /** @enum {unknown} */
            finality?: "any" | "final_only";
            from: components["schemas"]["CalendarDate"];
            group_by?: ("day" | "week" | "month" | "brand" | "campaign" | "integration" | "country" | "sub_affiliate" | "currency")[];
            metrics?: string[];
            order_by?: string;
            rate_set?: string;
            time_zone?: string;
            to: components["schemas"]["CalendarDate"];
        };
        /** @description That a rule fired for a subject, or was held back from it. */
        Firing: {
            actions: {
                error_code: string | null;
                /** @enum {unknown} */
                status: "succeeded" | "skipped" | "failed";
                type: string;
            }[];
            brand_slug: string | null;
            created: components["schemas"]["Instant"];
            evidence: components["schemas"]["RuleEvidence"];
            fired: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            /** @constant */
            object: "firing";
            rule_id: components["schemas"]["Id"];
            rule_version: number;
            /** @enum {unknown} */
            status: "succeeded" | "partially_failed" | "failed" | "suppressed" | "simulated";
            subject_id: string;
            subject_type: string;
            trigger_type: string;
            updated: components["schemas"]["Instant"];
            version: number;
        };
        FiringList: {
            data: components["schemas"]["Firing"][];
        } & components["schemas"]["List"];
        /** @description A `cpa` or `hybrid` deal needs `cpa`, a `revshare` or `hybrid` one `revshare_bps`. */
        GivenDeal: {
            baseline?: components["schemas"]["GivenDealBaseline"] | null;
            cpa?: components["schemas"]["CampaignMoney"] | null;
            negative_carryover?: boolean;
            revshare_bps?: number | null;
            /** @enum {unknown} */
            type: "cpa" | "revshare" | "hybrid" | "flat" | "none";
        };
        GivenDealBaseline: {
            min_deposit: components["schemas"]["CampaignMoney"];
            wagering_x?: number | null;
        };
        GivenRuleCondition: {
            /** @description Of money, which needs one. */
            currency?: string | null;
            /** @description A metric of `/v1/stats` that adds up over days. */
            metric: string;
            /**
             * @description `changed_by_pct` compares with as many days before: a positive value asks for that much growth or more, a negative one for that much loss or more.
             * @enum {unknown}
             */
            op: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "changed_by_pct";
            /** @description Two numbers, both inclusive, for `between`; else one. Money in minor units. */
            value: number | number[];
        };
        /** @description All must hold; a schedule needs one. */
        GivenRuleConditions: components["schemas"]["GivenRuleCondition"][];
        /** @description What the rule looks at; an empty list leaves that open. An event that does not name what a list asks for is not in scope. */
        GivenRuleScope: {
            brand_slugs?: components["schemas"]["RuleScopeList"];
            campaign_ids?: components["schemas"]["RuleScopeList"];
            integration_ids?: components["schemas"]["RuleScopeList"];
        };
        GivenSchedule: {
            at?: string | null;
            every_minutes: number;
        } | null;
        Id: string;
        Identity: {
            /** @description What the provider calls it: the mail address that it has verified, or its subject there. */
            account: string;
            created: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            issuer: string;
            /** @description The last sign-in with it. */
            last_used: components["schemas"]["Instant"] | null;
            /** @constant */
            object: "identity";
            /** @description Its name here; null: sign-in there is not offered any more. */
            provider: string | null;
            /** @description For people. */
            title: string;
        };
        /** @description A file on its way into the workspace. */
        Import: {
            accepted: components["schemas"]["Count"];
            /** @description Days for which the file is complete. */
            covers: components["schemas"]["MaybeWindow"];
            created: components["schemas"]["Instant"];
            error: {
                code: components["schemas"]["SyncErrorCode"];
                line: number | null;
                message: string;
            } | null;
            finished: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            format: "csv" | "ndjson";
            id: components["schemas"]["Id"];
            integration_id: string | null;
            /** @description accepted + rejected; while it runs, so far. */
            lines: components["schemas"]["Count"];
            /** @constant */
            object: "import";
            /** @description Id of the newest rate set once the rates were in it: a new one unless all of them were stored so before. */
            rate_set: string | null;
            rejected: components["schemas"]["Count"];
            /** @description Who published the rates. */
            source: string | null;
            started: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            status: "queued" | "running" | "completed" | "completed_with_errors" | "failed" | "canceled";
            sync_run_id: string | null;
            /** @enum {unknown} */
            type: "stats" | "fx_rates" | "invoice_payments" | "campaigns";
            /** @description Rows that were stored so before; of stats known at the end. */
            unchanged: components["schemas"]["Count"];
            updated: components["schemas"]["Instant"];
            version: number;
        };
        ImportList: {
            data: components["schemas"]["Import"][];
        } & components["schemas"]["List"];
        /** Format: date-time */
        Instant: string;
        /** @description One account at one source, for one brand. */
        Integration: {
            brand_slug: string;
            created: components["schemas"]["Instant"];
            /** @description What is stored, never the credentials themselves. */
            credentials: {
                expires: components["schemas"]["MaybeInstant"];
                fingerprint: string | null;
                set: boolean;
                updated: components["schemas"]["MaybeInstant"];
            };
            currency: string;
            /** @enum {unknown} */
            granularity: "hour" | "day";
            health: {
                /** @description The list is open. */
                broken_reason: string | null;
                broken_since: components["schemas"]["MaybeInstant"];
                consecutive_failures: components["schemas"]["Count"];
                /** @description No run has succeeded for twice the interval of the schedule, as `sync.delayed` told; until the next success. */
                delayed: boolean;
                last_success: components["schemas"]["MaybeInstant"];
            };
            id: components["schemas"]["Id"];
            initial_backfill_days: components["schemas"]["Count"];
            last_sync: {
                finished: components["schemas"]["Instant"];
                /** @enum {unknown} */
                status: "succeeded" | "failed";
                sync_run_id: components["schemas"]["Id"];
            } | null;
            lookback_days: components["schemas"]["Count"];
            metadata: components["schemas"]["Metadata"];
            name: string;
            /** @description When the next scheduled run is due; a run that is open then comes first. Null without a schedule and while paused. */
            next_run: components["schemas"]["MaybeInstant"];
            /** @constant */
            object: "integration";
            /** @enum {unknown} */
            on_unknown_campaign: "create" | "unassigned" | "reject";
            /** @description The address that the network sends postbacks to. Shown only where it was made, by POST or by rotate-postback-token. */
            postback_url?: string;
            provider: string;
            required_for_final: boolean;
            schedule: components["schemas"]["Schedule"];
            /** @description As the provider's settings_schema says. */
            settings: {
                [key: string]: unknown;
            };
            settle_hours: components["schemas"]["Count"];
            /** @description IANA name, as it was given. */
            source_time_zone: string;
            /** @enum {unknown} */
            status: "pending" | "active" | "broken" | "paused";
            tags: components["schemas"]["Tags"];
            updated: components["schemas"]["Instant"];
            version: number;
            /** @enum {unknown} */
            window_mode: "replace" | "upsert";
        };
        IntegrationList: {
            data: components["schemas"]["Integration"][];
        } & components["schemas"]["List"];
        IntegrationPatch: {
            credentials?: components["schemas"]["Credentials"];
            currency?: string;
            /**
             * @description Cannot change once there are stats (409 stats_exist).
             * @enum {unknown}
             */
            granularity?: "hour" | "day";
            initial_backfill_days?: number;
            lookback_days?: number;
            metadata?: components["schemas"]["MetadataPatch"];
            /** @description Appears in events. */
            name?: components["schemas"]["Name"];
            /** @enum {unknown} */
            on_unknown_campaign?: "create" | "unassigned" | "reject";
            required_for_final?: boolean;
            schedule?: components["schemas"]["SchedulePatch"];
            settings?: components["schemas"]["Settings"];
            settle_hours?: number;
            /** @description Cannot change once there are stats (409 stats_exist). */
            source_time_zone?: string;
            tags?: components["schemas"]["Tags"];
            /** @enum {unknown} */
            window_mode?: "replace" | "upsert";
        };
        IntegrationTest: {
            error_code: components["schemas"]["SyncErrorCode"] | null;
            /** @constant */
            object: "integration_test";
            ok: boolean;
            sample_rows: ({
                campaign: string | null;
                country: string | null;
                currency: string;
                date: components["schemas"]["CalendarDate"];
                hour: components["schemas"]["MaybeInstant"];
                sub_id: string | null;
            } & {
                [key: string]: number | null;
            })[];
            warnings: components["schemas"]["CodeCounts"];
        };
        Invitation: {
            created: components["schemas"]["Instant"];
            email: string | null;
            expires: components["schemas"]["Instant"];
            id: string;
            /** @description Id of the person; null for the operator. */
            inviter: string | null;
            name: string | null;
            /** @constant */
            object: "invitation";
            role: components["schemas"]["Role"];
        };
        Invoice: {
            /** @description As the brand was when the invoice was generated; null in a draft. */
            bill_to: components["schemas"]["BillTo"] | null;
            /** @description As the settings had it when the invoice was generated; null in a draft, and where it was not told. */
            issuer: components["schemas"]["Issuer"] | null;
            /** @description The first 100; /line-items lists all. */
            line_items: components["schemas"]["InvoiceLine"][];
            payments: components["schemas"]["Payment"][];
        } & components["schemas"]["InvoiceSummary"];
        /** @description Filters as those of the list of invoices; all of them without any. At most 32,768 characters as JSON. */
        InvoiceExportQuery: {
            brand?: string[];
            "created[gt]"?: components["schemas"]["Instant"];
            "created[gte]"?: components["schemas"]["Instant"];
            "created[lt]"?: components["schemas"]["Instant"];
            "created[lte]"?: components["schemas"]["Instant"];
            currency?: string[];
            disputed?: boolean;
            "due[lt]"?: components["schemas"]["CalendarDate"];
            status?: ("draft" | "generated" | "sent" | "overdue" | "paid" | "void")[];
        };
        InvoiceLine: {
            amount: components["schemas"]["Amount"];
            campaign_id: string | null;
            description: string;
            id: components["schemas"]["Id"];
            /** @enum {unknown} */
            kind: "cpa" | "revshare" | "flat" | "adjustment" | "carryover" | "tax";
            /** @constant */
            object: "invoice_line_item";
            /** @enum {unknown} */
            origin: "stats" | "manual";
            quantity: number | null;
            /** @description Revision of the day that the line was drawn from, the highest of a period. */
            stats_revision: number | null;
            /** @description Of one, where all cost the same. */
            unit_amount: components["schemas"]["Amount"] | null;
        };
        InvoiceLineList: {
            data: components["schemas"]["InvoiceLine"][];
        } & components["schemas"]["List"];
        InvoiceList: {
            data: components["schemas"]["InvoiceSummary"][];
        } & components["schemas"]["List"];
        InvoicePatch: {
            due?: components["schemas"]["CalendarDate"] | null;
            line_items?: components["schemas"]["NewInvoiceLine"][];
            memo?: string | null;
            metadata?: components["schemas"]["MetadataPatch"];
        };
        /** @description Whole days of the workspace, both inclusive, at most 366. */
        InvoicePeriod: {
            from: components["schemas"]["CalendarDate"];
            to: components["schemas"]["CalendarDate"];
        };
        /** @description What the workspace bills a brand for a period, in one currency. Σ lines without tax = subtotal, + tax = total, − payments = amount due. */
        InvoiceSummary: {
            amount_due: components["schemas"]["Amount"];
            amount_paid: components["schemas"]["Amount"];
            /** @description An invoice is about all integrations of its brand. */
            brand_slug: string;
            created: components["schemas"]["Instant"];
            currency: string;
            dispute: components["schemas"]["Dispute"] | null;
            due: components["schemas"]["CalendarDate"] | null;
            id: components["schemas"]["Id"];
            issued: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            kind: "invoice" | "credit_note";
            line_items_count: components["schemas"]["Count"];
            memo: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description `2026-000123`, once it is generated. */
            number: string | null;
            /** @constant */
            object: "invoice";
            paid: components["schemas"]["MaybeInstant"];
            period: components["schemas"]["InvoicePeriod"];
            /** @description The last credit note that corrects it and is not void. */
            replaced_by: string | null;
            replaces: string | null;
            sent: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            status: "draft" | "generated" | "sent" | "overdue" | "paid" | "void";
            subtotal: components["schemas"]["Amount"];
            tax_amount: components["schemas"]["Amount"];
            /** @description By which its days are cut, and which says when it is overdue. */
            time_zone: string;
            total: components["schemas"]["Amount"];
            updated: components["schemas"]["Instant"];
            version: number;
            voided: components["schemas"]["MaybeInstant"];
        };
        /** @description Who issues invoices, and where they are paid to. */
        Issuer: {
            /** @description Lines without the country. */
            address: string[];
            /** @description Where the bank has no IBAN. */
            bank_account: string | null;
            bic: string | null;
            /** @description ISO 3166-1 alpha-2. */
            country: string;
            iban: string | null;
            legal_name: string;
            /** @description As a VAT number. */
            tax_id: string | null;
        };
        /** @description `legal_name`, `address` and `country` have to be there in the end. Text of one line each. */
        IssuerPatch: {
            address?: string[];
            bank_account?: string | null;
            bic?: string | null;
            country?: string;
            iban?: string | null;
            legal_name?: string;
            tax_id?: string | null;
        };
        /** @description A JSON Schema of draft 2020-12. */
        JsonSchema: {
            $schema: string;
            properties: object;
            required: unknown;
            type: string;
        };
        KeyScopes: components["schemas"]["Scope"][];
        LedgerEntry: {
            amount: components["schemas"]["Amount"];
            balance_after: components["schemas"]["Amount"];
            campaign_id: string | null;
            created: components["schemas"]["Instant"];
            currency: string;
            day: string | null;
            fx: {
                rate: string;
                rate_set: string;
            } | null;
            id: components["schemas"]["Id"];
            /** @description Whose rows it is about; of entries that name a day. */
            integration_id: string | null;
            /** @enum {unknown} */
            kind: "accrual" | "adjustment" | "carryover" | "payout" | "payout_reversal";
            month: components["schemas"]["LedgerMonth"];
            note: string | null;
            /** @constant */
            object: "ledger_entry";
            plan_id: string | null;
            rate_bps: number | null;
            /** @description restated, plan_changed, negative_floor, cap, write_off or manual. */
            reason: string | null;
            /** @description What it is in `row_currency`, the currency of the rows, before it was converted; of entries that name a day. Stats sum it as `sub_affiliate_cost`. */
            row_amount: number | null;
            row_currency: string | null;
            source: string;
            /** @description Unique with the source. */
            source_id: string;
            stats_revision: number | null;
            sub_affiliate_id: components["schemas"]["Id"];
        };
        LedgerEntryList: {
            data: components["schemas"]["LedgerEntry"][];
        } & components["schemas"]["List"];
        /** @description Filters as those of the ledger of a sub-affiliate, and which ones; all of them without any. At most 32,768 characters as JSON. */
        LedgerExportQuery: {
            "created[gt]"?: components["schemas"]["Instant"];
            "created[gte]"?: components["schemas"]["Instant"];
            "created[lt]"?: components["schemas"]["Instant"];
            "created[lte]"?: components["schemas"]["Instant"];
            kind?: ("accrual" | "adjustment" | "carryover" | "payout" | "payout_reversal")[];
            month?: components["schemas"]["LedgerMonth"][];
            sub_affiliate_id?: string[];
        };
        LedgerMonth: string;
        /** @description A page; each list says what `data` holds. */
        List: {
            has_more: boolean;
            next_cursor: string | null;
            /** @constant */
            object: "list";
        };
        /** @description PNG, JPEG or WebP, at most 1 MiB and 4,096 × 4,096 pixels. */
        LogoUpload: Blob;
        MaybeInstant: components["schemas"]["Instant"] | null;
        MaybeWindow: components["schemas"]["Window"] | null;
        Member: {
            created: components["schemas"]["Instant"];
            id: string;
            /** @constant */
            object: "member";
            role: components["schemas"]["Role"];
            updated: components["schemas"]["Instant"];
            user: {
                email: string | null;
                id: string;
                name: string;
            };
            version: number;
        };
        MemberLosses: {
            /** @description Live keys that the person made; they stay and belong to the workspace. */
            api_keys: components["schemas"]["Count"];
            /** @description Grants of apps that lose scopes. */
            grants_cut: components["schemas"]["Count"];
            /** @description Grants of apps that end. */
            grants_ended: components["schemas"]["Count"];
            /** @constant */
            object: "member_losses";
            /** @description As asked; null: removed. */
            role: components["schemas"]["Role"] | null;
            /** @description That the present role gives and the other one does not. */
            scopes: components["schemas"]["Scope"][];
        };
        Metadata: {
            [key: string]: string;
        };
        MetadataPatch: {
            [key: string]: string | null;
        };
        /** @description With a character that is seen, and without control characters. */
        Name: string;
        NewApiKey: {
            cidrs?: components["schemas"]["Cidrs"];
            /**
             * @description null: never.
             * @enum {unknown}
             */
            expires_in_days: 30 | 90 | 365 | null;
            name: components["schemas"]["Name"];
            scopes: components["schemas"]["KeyScopes"];
        };
        NewAutomationRule: {
            actions: components["schemas"]["RuleActions"];
            conditions: components["schemas"]["GivenRuleConditions"];
            /**
             * @description Per subject.
             * @default 1440
             */
            cooldown_minutes: number;
            /**
             * @description Firings are noted and nothing is done.
             * @default false
             */
            dry_run: boolean;
            /** @default true */
            enabled: boolean;
            /** @default false */
            final_days_only: boolean;
            /**
             * @description In the day of the workspace.
             * @default 20
             */
            max_fires_per_day: number;
            min_sample?: components["schemas"]["RuleMinSample"];
            /** @description Appears in events. */
            name: components["schemas"]["Name"];
            scope?: components["schemas"]["GivenRuleScope"];
            subject_type: components["schemas"]["RuleSubjectType"];
            trigger: components["schemas"]["RuleTrigger"];
            window: components["schemas"]["RuleWindow"];
        };
        NewCampaign: {
            countries?: components["schemas"]["Countries"];
            deal?: components["schemas"]["GivenDeal"];
            ends?: components["schemas"]["CalendarDate"] | null;
            /** @description How the source names it. */
            external_id: string;
            integration_id: string;
            /** @description An https address; never fetched. */
            landing_url?: string | null;
            metadata?: components["schemas"]["Metadata"];
            /** @description Appears in events. */
            name: components["schemas"]["Name"];
            starts?: components["schemas"]["CalendarDate"] | null;
            /**
             * @default draft
             * @enum {unknown}
             */
            status: "draft" | "active";
            tags?: components["schemas"]["Tags"];
            /** @description An https address; never fetched. `{sub_id}` behind its host is the place of a sub-affiliate's sub-id. */
            tracking_url?: string | null;
        };
        NewCommissionPlan: {
            base?: components["schemas"]["PlanBase"];
            cap?: components["schemas"]["PlanMoney"] | null;
            cpa?: components["schemas"]["PlanMoney"] | null;
            name: components["schemas"]["Name"];
            negative_carryover?: boolean;
            revshare_bps?: number | null;
            tiers?: components["schemas"]["PlanTier"][];
            type: components["schemas"]["PlanType"];
        };
        NewExport: {
            /**
             * @default none
             * @enum {unknown}
             */
            compression: "none" | "gzip";
            /** @enum {unknown} */
            format: "csv" | "ndjson";
            /** @description By its type: a stats query (`ExportQuery`), or the filters of its list (`InvoiceExportQuery`, `CampaignExportQuery`, `SubAffiliateExportQuery`, `LedgerExportQuery`, `PayoutExportQuery`). */
            query: object;
            /** @enum {unknown} */
            type: "stats" | "invoices" | "campaigns" | "sub_affiliates" | "ledger_entries" | "payouts";
        } & (unknown & unknown & unknown & unknown & unknown & unknown);
        NewIntegration: {
            brand?: {
                default_currency?: string | null;
                name?: components["schemas"]["Name"];
                vertical?: string;
            };
            brand_slug: string;
            credentials?: components["schemas"]["Credentials"];
            currency?: string;
            /** @enum {unknown} */
            granularity?: "hour" | "day";
            initial_backfill_days?: number;
            lookback_days?: number;
            metadata?: components["schemas"]["Metadata"];
            /** @description Appears in events. */
            name: components["schemas"]["Name"];
            /** @enum {unknown} */
            on_unknown_campaign?: "create" | "unassigned" | "reject";
            provider: string;
            required_for_final?: boolean;
            schedule?: components["schemas"]["GivenSchedule"];
            settings?: components["schemas"]["Settings"];
            settle_hours?: number;
            source_time_zone?: string;
            tags?: components["schemas"]["Tags"];
            /** @enum {unknown} */
            window_mode?: "replace" | "upsert";
        };
        NewInvoice: {
            brand_slug?: string;
            currency?: string;
            due?: components["schemas"]["CalendarDate"] | null;
            /**
             * @default invoice
             * @enum {unknown}
             */
            kind: "invoice" | "credit_note";
            line_items?: components["schemas"]["NewInvoiceLine"][];
            memo?: string | null;
            metadata?: components["schemas"]["Metadata"];
            period?: components["schemas"]["InvoicePeriod"];
            /** @description The invoice that a credit note corrects. */
            replaces?: string;
        };
        /** @description A line that somebody adds beside those drawn from stats. */
        NewInvoiceLine: {
            amount: components["schemas"]["Amount"];
            campaign_id?: string | null;
            description: string;
            /** @enum {unknown} */
            kind: "flat" | "adjustment" | "tax";
            quantity?: number | null;
            unit_amount?: components["schemas"]["Amount"] | null;
        };
        NewOAuthApp: {
            name: components["schemas"]["OAuthAppName"];
            redirect_urls: components["schemas"]["RedirectUrls"];
            scopes: components["schemas"]["AppScopes"];
            /**
             * @description live unless told. In development only its own workspace may authorise it.
             * @enum {unknown}
             */
            state?: "development" | "live";
        };
        NewPayment: {
            amount: components["schemas"]["Amount"];
            /** @description How it was paid, as bank or card. */
            method: string;
            received: components["schemas"]["CalendarDate"];
            /** @description Unique within the invoice. */
            reference: string;
        };
        NewPayout: {
            /** @description In minor units of the payout currency; by default all that is available. */
            amount?: number;
            scheduled_for?: components["schemas"]["CalendarDate"];
            sub_affiliate_id: string;
        };
        NewPayoutMethod: {
            /** @description Never shown again. */
            details?: {
                [key: string]: string;
            };
            type: components["schemas"]["PayoutType"];
        };
        NewReplayOfDeadLetters: {
            delivery_ids?: components["schemas"]["DeliveryIds"];
            dry_run?: boolean;
            /**
             * @description Of the last attempt; `none` where it had none.
             * @enum {unknown}
             */
            error_code?: "none" | "timeout" | "dns_not_found" | "dns_failed" | "connection_refused" | "connection_reset" | "connection_failed" | "tls_expired" | "tls_wrong_host" | "tls_untrusted" | "tls_failed" | "destination_not_allowed" | "http_status" | "response_invalid" | "response_too_large";
            rate?: components["schemas"]["ReplayRate"];
            /** @enum {unknown} */
            reason?: "attempts_exhausted" | "subscription_disabled" | "subscription_deleted";
            /**
             * Format: date-time
             * @description All that are shown unless told; those too old to be replayed are left out. One that is told lies within 30 days.
             */
            since?: string;
            /**
             * @description Of the last answer.
             * @enum {unknown}
             */
            status_class?: "1xx" | "2xx" | "3xx" | "4xx" | "5xx";
            /** @description One type of the event catalog, without a wildcard. */
            type?: string;
            /** Format: date-time */
            until?: string;
            webhook_id?: string;
        };
        NewReplayOfWebhook: {
            delivery_ids?: components["schemas"]["DeliveryIds"];
            dry_run?: boolean;
            rate?: components["schemas"]["ReplayRate"];
            /**
             * Format: date-time
             * @description Bounds the event's `created`. Required unless `delivery_ids` is given.
             */
            since?: string;
            /** @description `dead` and `missing` unless told. */
            status?: ("dead" | "retry" | "delivered" | "missing")[];
            /** @description Event types, `prefix.*` or `*`; all unless told. */
            types?: string[];
            /**
             * Format: date-time
             * @description Now unless told.
             */
            until?: string;
        };
        NewSubAffiliate: {
            country?: string | null;
            effective_from?: components["schemas"]["CalendarDate"];
            email: string;
            external_id?: string | null;
            invite?: boolean;
            metadata?: components["schemas"]["Metadata"];
            minimum_payout?: components["schemas"]["PlanMoney"];
            name: components["schemas"]["Name"];
            payout_currency: string;
            payout_method?: components["schemas"]["NewPayoutMethod"] | null;
            plan_id: string;
            time_zone?: string;
        };
        OAuthApp: {
            client_id: string;
            created: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            /** @description Below the address of this API. */
            logo_path: string;
            name: string;
            /** @constant */
            object: "oauth_app";
            redirect_urls: string[];
            scopes: components["schemas"]["Scope"][];
            /** @description Those that are accepted now, the oldest first. */
            secrets: {
                created: components["schemas"]["Instant"];
                ends: components["schemas"]["MaybeInstant"];
                id: components["schemas"]["Id"];
                last_used: components["schemas"]["MaybeInstant"];
            }[];
            /** @enum {unknown} */
            state: "development" | "live" | "suspended";
            updated: components["schemas"]["Instant"];
            version: number;
        };
        OAuthAppList: {
            data: components["schemas"]["OAuthApp"][];
        } & components["schemas"]["List"];
        /** @description In NFKC, of one script, without symbols that pass for marks of trust, and not the name of this service. */
        OAuthAppName: string;
        OAuthAppPatch: {
            name?: components["schemas"]["OAuthAppName"];
            redirect_urls?: components["schemas"]["RedirectUrls"];
            scopes?: components["schemas"]["AppScopes"];
        };
        OAuthAppUsage: {
            data: {
                app_id: components["schemas"]["Id"];
                grants: components["schemas"]["Count"];
                last_error: components["schemas"]["OAuthError"] | null;
                /** @description With a live grant in any workspace. */
                people: components["schemas"]["Count"];
            }[];
            /** @constant */
            object: "oauth_app_usage";
        };
        OAuthError: {
            created: components["schemas"]["Instant"];
            /** @enum {unknown} */
            endpoint: "authorize" | "consent" | "token" | "revoke" | "introspect";
            /** @description What the client was answered. */
            error: string;
            /** @description Why, which the client is not told. */
            reason: string;
            request_id: string;
        };
        OAuthErrorList: {
            data: components["schemas"]["OAuthError"][];
        } & components["schemas"]["List"];
        OwnWorkspace: {
            id: string;
            name: string;
            /** @enum {unknown} */
            plan: "free" | "pro" | "business" | "enterprise";
            role: components["schemas"]["Role"];
            slug: string;
        };
        /** @description A company as an invoice names it. */
        Party: {
            /** @description Lines without the country. */
            address: string[];
            /** @description ISO 3166-1 alpha-2. */
            country: string;
            legal_name: string;
            /** @description As a VAT number. */
            tax_id: string | null;
        };
        /** @description `legal_name`, `address` and `country` have to be there in the end. Text of one line each. */
        PartyPatch: {
            address?: string[];
            country?: string;
            legal_name?: string;
            tax_id?: string | null;
        };
        /** @description Which events are delivered: those of which every condition holds. `pointer` is a JSON pointer (RFC 6901) from the root of the event, at most 5 members deep, such as `/data/status`. `eq` and `neq` take a text, number, true, false or null; `in` a list of 1 to 50 of them; `gt` and `lt` a number or a text, which is compared with members of its own kind only (texts by code units, which orders dates and instants); `exists` takes true or false. Where the event has no such member, `neq` and `exists` false hold, and nothing else does. 1 to 10 conditions; what cannot be judged is 422 `invalid_filter`. */
        PayloadFilter: {
            all: {
                op: string;
                pointer: string;
                value: unknown;
            }[];
        } | null;
        Payment: {
            amount: components["schemas"]["Amount"];
            id: components["schemas"]["Id"];
            method: string;
            received: components["schemas"]["CalendarDate"];
            reference: string;
        };
        Payout: {
            /** @description In minor units of the currency. */
            amount: number;
            created: components["schemas"]["Instant"];
            currency: string;
            /** @description How many entries of the ledger these months have. */
            entries: number;
            /** @description method_rejected, details_missing, limit, returned or other. */
            failure_code: string | null;
            /** @description Not null while it is kept from being processed. */
            held: {
                /** @description The automation rule that holds it. */
                by_rule_id: string | null;
                /** @enum {unknown} */
                reason: "fraud_review" | "details_missing" | "request" | "rule" | "other";
            } | null;
            id: components["schemas"]["Id"];
            /** @constant */
            object: "payout";
            paid: components["schemas"]["MaybeInstant"];
            /** @description Days of the closed months that it pays for; what was earned first is paid first. */
            period: {
                from: components["schemas"]["CalendarDate"];
                to: components["schemas"]["CalendarDate"];
            };
            reference: string | null;
            returned: components["schemas"]["MaybeInstant"];
            scheduled_for: components["schemas"]["CalendarDate"];
            status: components["schemas"]["PayoutStatus"];
            sub_affiliate_id: components["schemas"]["Id"];
            /** @description Of the workspace when it was made; its day is one of this zone. */
            time_zone: string;
            updated: components["schemas"]["Instant"];
            version: number;
        };
        /** @description Filters as those of the list of payouts; all of them without any. At most 32,768 characters as JSON. */
        PayoutExportQuery: {
            "created[gt]"?: components["schemas"]["Instant"];
            "created[gte]"?: components["schemas"]["Instant"];
            "created[lt]"?: components["schemas"]["Instant"];
            "created[lte]"?: components["schemas"]["Instant"];
            held?: boolean;
            status?: components["schemas"]["PayoutStatus"][];
            sub_affiliate_id?: string[];
        };
        PayoutList: {
            data: components["schemas"]["Payout"][];
        } & components["schemas"]["List"];
        /** @enum {unknown} */
        PayoutStatus: "scheduled" | "processing" | "paid" | "failed" | "canceled";
        /** @enum {unknown} */
        PayoutType: "bank" | "paypal" | "skrill" | "crypto" | "manual";
        /**
         * @description What the revenue share is a share of.
         * @enum {unknown}
         */
        PlanBase: "commission" | "ngr";
        PlanMoney: {
            /** @description In minor units of the currency. */
            amount: number;
            currency: string;
        };
        PlanTier: {
            /** @description Qualified FTDs of the month from which it holds. */
            from_ftds: number;
            revshare_bps: number;
        };
        /** @enum {unknown} */
        PlanType: "cpa" | "revshare" | "hybrid" | "tiered";
        Problem: {
            code: string;
            detail: string;
            errors?: {
                code: string;
                detail: string;
                parameter?: string;
                pointer?: string;
            }[];
            instance: string;
            status: number;
            title: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        ProtectedResource: {
            authorization_servers: string[];
            bearer_methods_supported: "header"[];
            /** Format: uri */
            resource: string;
            /** Format: uri */
            resource_documentation: string;
            scopes_supported: string[];
        };
        Provider: {
            /** @description Whether an integration can be made of it now. */
            available: boolean;
            /** @description JSON Schema; null where none are taken. */
            credentials_schema: {
                [key: string]: unknown;
            } | null;
            /**
             * @description null for presets that are only reserved.
             * @enum {unknown}
             */
            kind: "push" | "pull" | "generated" | null;
            /** @constant */
            object: "provider";
            provider: string;
            /** @description JSON Schema 2020-12 of settings. */
            settings_schema: {
                [key: string]: unknown;
            } | null;
        };
        ProviderList: {
            data: components["schemas"]["Provider"][];
        } & components["schemas"]["List"];
        /** @description The quota is used up (RFC 9457, with the registered type of such problems). */
        QuotaExceeded: {
            /** @constant */
            code: "quota_exceeded";
            detail: string;
            instance: string;
            /** @constant */
            status: 429;
            title: string;
            /** @constant */
            type: "https://iana.org/assignments/http-problem-types#quota-exceeded";
            /** @description Names of the policies in RateLimit-Policy. */
            "violated-policies"?: string[];
        };
        /** @description Each in its normal form on https; in development also `http` on `localhost`, `127.0.0.1` and `[::1]` with a port. Compared byte for byte. */
        RedirectUrls: string[];
        RegisteredOAuthApp: {
            /** @description Shown this once. */
            client_secret: string;
        } & components["schemas"]["OAuthApp"];
        Replay: {
            created: components["schemas"]["Instant"];
            dead: number;
            /** @description Of those opened. Counted within seconds, also after the replay was completed. */
            delivered: number;
            /** @enum {unknown} */
            failed_reason: "subscription_disabled" | "subscription_deleted" | null;
            /** @description As asked for, with the defaults filled in. */
            filter: {
                delivery_ids?: string[];
                error_code?: string;
                reason?: string;
                /** Format: date-time */
                since?: string;
                status?: ("dead" | "retry" | "delivered" | "missing")[];
                status_class?: string;
                type?: string;
                types?: string[];
                /** Format: date-time */
                until?: string;
            };
            /**
             * Format: date-time
             * @description When nothing was left to be opened; what is open goes on.
             */
            finished: string | null;
            id: components["schemas"]["Id"];
            /** @description When it was asked for; null while running where they were not all counted, as in a dry run. Once completed, opened and skipped together. */
            matched: number | null;
            /** @constant */
            object: "replay";
            /** @description New epochs, and new deliveries of missing events. */
            opened: number;
            rate: number;
            requested_by: string;
            /** @description Matched, but could not be replayed when their turn came, as an attempt was under way or the state had changed. */
            skipped: number;
            /** Format: date-time */
            started: string | null;
            /** @enum {unknown} */
            status: "queued" | "running" | "paused" | "completed" | "canceled" | "failed";
            updated: components["schemas"]["Instant"];
            version: number;
            /** @description Null over several subscriptions. */
            webhook_id: string | null;
        };
        ReplayDryRun: {
            by_status: {
                [key: string]: number;
            };
            by_type: {
                [key: string]: number;
            };
            by_webhook: {
                [key: string]: number;
            };
            /** @description False where more than 100,000 deliveries and events had to be looked at, or for longer than 3 s; the numbers are those of the first. */
            complete: boolean;
            /** @description Why, `subscription_disabled`, `subscription_deleted` or `event_expired`; not in `matched`. */
            left_out: {
                [key: string]: number;
            };
            matched: number;
            /** Format: date-time */
            newest: string | null;
            /**
             * Format: date-time
             * @description `created` of the oldest event.
             */
            oldest: string | null;
        };
        ReplayList: {
            data: components["schemas"]["Replay"][];
        } & components["schemas"]["List"];
        /** @description Deliveries opened per second, at most; 500 unless told. Live traffic of the same subscription goes first in any case. */
        ReplayRate: number;
        /** @enum {unknown} */
        Role: "owner" | "admin" | "member" | "viewer";
        RotateWebhookSecret: {
            /** @default 86400 */
            overlap_seconds: number;
        };
        RuleAction: {
            /**
             * @description Of `create_anomaly` alone, which needs one, and a first condition with `gt`, `gte`, `lt`, `lte` or `changed_by_pct`: the anomaly is of its metric. While one that a rule made of the same numbers is open, the action is `skipped`.
             * @enum {unknown}
             */
            severity?: "low" | "medium" | "high";
            /**
             * @description `draft_invoices` and `generate_invoices` need the trigger `stats.monthly_closed` and the subject `workspace`: of that month one invoice is drawn up for each brand of `scope.brand_slugs` (empty: all) and currency that earned in it and has none yet, draft or not; `generate_invoices` generates it, too. Where there is none to make the action is `skipped`; where one is refused it is `failed` with the code of the first, and the others stay.
             * @enum {unknown}
             */
            type: "notify_webhook" | "pause_campaign" | "resume_campaign" | "trigger_sync" | "hold_payout" | "create_anomaly" | "draft_invoices" | "generate_invoices";
        };
        RuleActions: components["schemas"]["RuleAction"][];
        RuleCondition: {
            currency: string | null;
            metric: string;
            /** @enum {unknown} */
            op: "gt" | "gte" | "lt" | "lte" | "eq" | "neq" | "between" | "changed_by_pct";
            value: number | number[];
        };
        /** @description What was compared; empty unless the token has `stats:read`, too. */
        RuleEvidence: {
            /** @description Of `changed_by_pct` alone. */
            before: number | null;
            currency: string | null;
            metric: string;
            observed: number;
            op: string;
            value: number | number[];
        }[];
        /** @description By metric, what there must be at least, for example `{clicks: 200}`; below it the rule does not fire. */
        RuleMinSample: {
            [key: string]: number;
        };
        RuleScope: {
            brand_slugs: components["schemas"]["RuleScopeList"];
            campaign_ids: components["schemas"]["RuleScopeList"];
            integration_ids: components["schemas"]["RuleScopeList"];
        };
        RuleScopeList: string[];
        /** @enum {unknown} */
        RuleSubjectType: "workspace" | "brand" | "integration" | "campaign" | "sub_affiliate";
        /** @description A schedule looks at every subject. An event of a type of the catalog, or an anomaly (of a metric), triggers the rule for the subject that it names, if it happens while the rule is enabled; events that are older than 7 days when they are heard, and those that come while 1,000 wait for the rule, are passed over. */
        RuleTrigger: {
            /** @description Of an event alone: one of the event catalog. */
            event_type?: string;
            /** @description Of a schedule alone. */
            every_minutes?: number;
            /** @description Of an anomaly alone: which; null: any. */
            metric?: string | null;
            /** @enum {unknown} */
            type: "schedule" | "event" | "anomaly";
        };
        /** @description A trigger of another type has nothing of the former one. */
        RuleTriggerPatch: {
            event_type?: string | null;
            every_minutes?: number | null;
            metric?: string | null;
            /** @enum {unknown} */
            type?: "schedule" | "event" | "anomaly";
        };
        /** @description `last_7d`: the seven days that ended yesterday, in the workspace's zone. */
        RuleWindow: string;
        Schedule: {
            /** @description `HH:MM` in the source's zone. */
            at: string | null;
            every_minutes: number;
        } | null;
        SchedulePatch: {
            at?: string | null;
            every_minutes?: number;
        } | null;
        /** @enum {unknown} */
        Scope: "stats:read" | "integrations:read" | "integrations:write" | "campaigns:read" | "campaigns:write" | "invoices:read" | "invoices:write" | "webhooks:manage";
        /** @description At most 32,768 characters as JSON. */
        Settings: object;
        ShownApiKey: {
            /** @description Shown this once. */
            api_key: string;
        } & components["schemas"]["ApiKey"];
        Stats: {
            data: ({
                /** @description By metric, how it stands against that of the earlier days; with `compare` alone. */
                compare?: {
                    [key: string]: components["schemas"]["StatsComparison"];
                };
            } & {
                [key: string]: string | number | null;
            })[];
            has_more: boolean;
            meta: components["schemas"]["StatsMeta"];
            next_cursor: string | null;
            /** @constant */
            object: "stats";
            totals: ({
                currency: string;
            } & {
                [key: string]: number | null;
            })[];
        };
        StatsComparison: {
            delta: number | null;
            /** @description In per cent of the value; null where it is 0. */
            delta_pct: number | null;
            value: number | null;
        };
        StatsDay: {
            /** @description `sha256:` and 64 hex digits, of the present revision. */
            checksum: string | null;
            /** @description All that it expected have reported. */
            complete: boolean;
            created: components["schemas"]["Instant"];
            date: components["schemas"]["CalendarDate"];
            integrations_included: components["schemas"]["Id"][];
            /** @description Whom it waits for or did not wait for any longer. */
            integrations_missing: components["schemas"]["Id"][];
            /** @description It was not final by its deadline. */
            late: boolean;
            /** @constant */
            object: "stats_day";
            ready: components["schemas"]["MaybeInstant"];
            restated: components["schemas"]["MaybeInstant"];
            /** @description 0 until the day is final. */
            revision: number;
            revisions: {
                /** @enum {unknown} */
                cause: "ready" | "sync" | "settings";
                checksum: string;
                created: components["schemas"]["Instant"];
                revision: number;
            }[];
            /** @description Of the first revision or the last restatement. */
            row_count: number;
            /** @enum {unknown} */
            status: "open" | "provisional" | "final";
            /** @description By which the day is counted. */
            time_zone: string;
            updated: components["schemas"]["Instant"];
            version: number;
            watermark: components["schemas"]["MaybeInstant"];
        };
        StatsDayList: {
            data: components["schemas"]["StatsDay"][];
        } & components["schemas"]["List"];
        StatsFilter: {
            brand?: components["schemas"]["StatsFilterValues"];
            campaign?: components["schemas"]["StatsFilterValues"];
            country?: components["schemas"]["StatsFilterValues"];
            currency?: components["schemas"]["StatsFilterValues"];
            integration?: components["schemas"]["StatsFilterValues"];
            sub_affiliate?: components["schemas"]["StatsFilterValues"];
        };
        StatsFilterValues: string[];
        StatsMeta: {
            /** @description Whether a row is counted for a day of the workspace that its source may have meant otherwise. */
            approximate: boolean;
            /** @description Metrics of which a sum of this page or of the totals lies beyond ±9,007,199,254,740,991. It is null; all others are there. */
            beyond_range: string[];
            /** @description The running day and the one that it is compared with, where sources tell no hours; neither side counts them. */
            compare_excluded_days: string[];
            /** @description That money was converted to; null without conversion. */
            currency: string | null;
            /** @description Last date of the range up to which every day is final; null without one. */
            final_through: string | null;
            /** @description First day that was asked for. */
            from: components["schemas"]["CalendarDate"];
            /** @description How money was converted; null without conversion. */
            fx: {
                /** @constant */
                policy: "rate_of_day";
                rate_set: string;
                /** @description Who published the rates of these days. */
                sources: string[];
            } | null;
            /** @description When the answer was made; of a final one, when it became final or its latest revision was made. */
            generated: components["schemas"]["Instant"];
            /** @description Ids of integrations that one of the days waits for, or waits for no longer. */
            incomplete_integrations: string[];
            /** @description Whether every day is final, also those that are compared with. The same request then gives the same bytes until one of the days is restated, other rates convert its money, or a campaign is merged. */
            is_final: boolean;
            /** @description Highest revision of the days; 0 where none has been final. */
            revision_max: components["schemas"]["Count"];
            /** @description Whose days these are. */
            time_zone: string;
            /** @description Last day that was asked for. */
            to: components["schemas"]["CalendarDate"];
            /** @description The least watermark of the days, up to which all expected sources have reported; null while a day has none. */
            watermark: components["schemas"]["MaybeInstant"];
        };
        StatsQuery: {
            /** @enum {unknown} */
            compare?: "previous_period" | "previous_period_weekday_aligned" | "previous_month" | "previous_year";
            currency?: string;
            cursor?: string;
            filter?: components["schemas"]["StatsFilter"];
            filter_not?: components["schemas"]["StatsFilter"];
            /** @enum {unknown} */
            finality?: "any" | "final_only";
            from: components["schemas"]["CalendarDate"];
            group_by?: ("day" | "week" | "month" | "brand" | "campaign" | "integration" | "country" | "sub_affiliate" | "currency")[];
            limit?: number;
            /** @description `sub_affiliate_cost` and `margin` are known by days of the workspace, and not by country. The cost of a day is known once it is final. */
            metrics?: string[];
            order_by?: string;
            rate_set?: string;
            time_zone?: string;
            to: components["schemas"]["CalendarDate"];
        };
        SubAffiliate: {
            balance: {
                /** @description Of months that are closed, less payouts. */
                available: number;
                currency: string;
                /** @description By payouts that were paid and did not come back. */
                paid_total: number;
                /** @description Of months that are open, or whose close is not over. */
                pending: number;
            };
            country: string | null;
            created: components["schemas"]["Instant"];
            /** @description Masked in lists. Null once it was erased. */
            email: string | null;
            /** @description How rows name it, their sub-id. */
            external_id: string | null;
            id: components["schemas"]["Id"];
            invitation_expires: components["schemas"]["Instant"] | null;
            /** @description Shown only where it was made. */
            invitation_url?: string;
            joined: components["schemas"]["Instant"] | null;
            metadata: components["schemas"]["Metadata"];
            minimum_payout: components["schemas"]["PlanMoney"];
            /** @description Null once it was erased. */
            name: string | null;
            /** @constant */
            object: "sub_affiliate";
            payout_currency: string;
            payout_method: {
                /** @description The same for the same details. */
                fingerprint: string;
                type: components["schemas"]["PayoutType"];
            } | null;
            /** @description Each plan from its day on, in the order of days. */
            plan_history: {
                effective_from: components["schemas"]["CalendarDate"];
                plan_id: string;
            }[];
            /** @description The plan that was assigned last. */
            plan_id: string;
            status: components["schemas"]["SubAffiliateStatus"];
            time_zone: string;
            updated: components["schemas"]["Instant"];
            version: number;
        };
        SubAffiliateBalance: {
            available: components["schemas"]["Amount"];
            currency: string;
            /** @constant */
            object: "balance";
            paid_total: components["schemas"]["Amount"];
            pending: components["schemas"]["Amount"];
            sub_affiliate_id: components["schemas"]["Id"];
        };
        /** @description Filters as those of the list of sub-affiliates; all of them without any. At most 32,768 characters as JSON. */
        SubAffiliateExportQuery: {
            "created[gt]"?: components["schemas"]["Instant"];
            "created[gte]"?: components["schemas"]["Instant"];
            "created[lt]"?: components["schemas"]["Instant"];
            "created[lte]"?: components["schemas"]["Instant"];
            plan_id?: string[];
            status?: components["schemas"]["SubAffiliateStatus"][];
        };
        SubAffiliateList: {
            data: components["schemas"]["SubAffiliate"][];
        } & components["schemas"]["List"];
        SubAffiliatePatch: {
            country?: string | null;
            email?: string;
            external_id?: string | null;
            metadata?: components["schemas"]["MetadataPatch"];
            minimum_payout?: components["schemas"]["PlanMoney"];
            name?: components["schemas"]["Name"];
            payout_currency?: string;
            payout_method?: components["schemas"]["NewPayoutMethod"] | null;
            time_zone?: string;
        };
        /** @enum {unknown} */
        SubAffiliateStatus: "invited" | "expired" | "active" | "suspended" | "removed";
        /** @description Why a run or an attempt failed; the list is open. */
        SyncErrorCode: string;
        /** @description One pull, or one upload, for one integration. */
        SyncRun: {
            /** @description 0 until the first attempt begins. */
            attempt: number;
            brand_slug: string;
            created: components["schemas"]["Instant"];
            /** @description A row was rejected, so no row was removed. */
            deletes_skipped: boolean;
            duration_ms: number | null;
            error: {
                code: components["schemas"]["SyncErrorCode"];
                message: string;
                retryable: boolean;
            } | null;
            finished: components["schemas"]["MaybeInstant"];
            id: components["schemas"]["Id"];
            import_id: string | null;
            integration_id: components["schemas"]["Id"];
            max_attempts: number;
            next_attempt: components["schemas"]["MaybeInstant"];
            /** @constant */
            object: "sync_run";
            queued: components["schemas"]["Instant"];
            rejects_sample: {
                code: string;
                detail: string;
                line: number;
            }[];
            rows_deleted: components["schemas"]["Count"];
            rows_ingested: components["schemas"]["Count"];
            rows_inserted: components["schemas"]["Count"];
            rows_rejected: components["schemas"]["Count"];
            rows_skipped: components["schemas"]["Count"];
            rows_unchanged: components["schemas"]["Count"];
            rows_updated: components["schemas"]["Count"];
            /** @description Rises by one with each run of the integration. */
            run_seq: number;
            started: components["schemas"]["MaybeInstant"];
            /** @enum {unknown} */
            status: "queued" | "running" | "retry_wait" | "succeeded" | "failed" | "canceled";
            /** @description Of the window's dates. */
            time_zone: string;
            /** @enum {unknown} */
            trigger: "schedule" | "manual" | "retry" | "backfill" | "upload";
            updated: components["schemas"]["Instant"];
            version: number;
            warnings: components["schemas"]["CodeCounts"];
            /** @description Inclusive; null for an upload until it is parsed. */
            window: components["schemas"]["MaybeWindow"];
        };
        SyncRunList: {
            data: components["schemas"]["SyncRun"][];
        } & components["schemas"]["List"];
        SyncRunWish: {
            allow_empty?: boolean;
            window?: components["schemas"]["Window"];
        };
        Tags: string[];
        TestWebhook: {
            /** @description Default is the first type that the subscription asks for. */
            type?: string;
        };
        TrackingLink: {
            campaign_id: components["schemas"]["Id"];
            /** @constant */
            object: "tracking_link";
            sub_id: string | null;
            /** @description Null where the campaign has no tracking address, or one without `{sub_id}`. */
            url: string | null;
        };
        UpdateWebhook: {
            description?: string | null;
            events?: string[];
            filter?: components["schemas"]["PayloadFilter"];
            headers?: {
                [key: string]: string | null;
            } | null;
            max_in_flight?: number | null;
            rate_limit?: number | null;
            url?: string;
        };
        Webhook: {
            /** Format: date-time */
            created: string;
            description: string | null;
            disabled_reason: string | null;
            events: string[];
            /**
             * Format: date-time
             * @description Rounded up to the second.
             */
            failing_since: string | null;
            filter: components["schemas"]["PayloadFilter"];
            headers: {
                [key: string]: string;
            };
            id: string;
            /**
             * Format: date-time
             * @description Rounded up to the second.
             */
            last_delivered: string | null;
            max_in_flight: number;
            /** @constant */
            object: "webhook";
            owner: {
                id: string;
                /** @enum {unknown} */
                type: "user" | "client" | "api_key";
            };
            rate_limit: number | null;
            /** @description Only in the answers to POST and rotate-secret */
            secret?: string;
            secrets: {
                /** Format: date-time */
                created: string;
                /** Format: date-time */
                expires: string | null;
                hint: string;
            }[];
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /** Format: date-time */
            updated: string;
            url: string;
            version: number;
        };
        WebhookCondition: {
            /**
             * Format: date-time
             * @description Since when it is disabled.
             */
            disabled: string | null;
            /** @description Deliveries with a failed attempt since `failing_since`; 0 while it does not fail. */
            failing_deliveries: number;
            /** @constant */
            object: "webhook_condition";
            /** @description Deliveries that wait or are under way; they end when the subscription is disabled or deleted. */
            open_deliveries: number;
            /** @description False where there are more. */
            open_deliveries_complete: boolean;
            webhook_id: string;
        };
        WebhookList: {
            data: components["schemas"]["Webhook"][];
        } & components["schemas"]["List"];
        Window: {
            from: components["schemas"]["CalendarDate"];
            to: components["schemas"]["CalendarDate"];
        };
        Workspace: {
            /** Format: date-time */
            created: string;
            id: string;
            name: string;
            /** @constant */
            object: "workspace";
            /** @enum {unknown} */
            plan: "free" | "pro" | "business" | "enterprise";
            slug: string;
            strict_event_scopes: boolean;
            /** Format: date-time */
            updated: string;
            version: number;
        };
        WorkspaceSettings: {
            anomaly_detection: boolean;
            base_currency: string;
            created: components["schemas"]["Instant"];
            /** @description Who issues the workspace's invoices. Shown to tokens with `invoices:read`. */
            issuer?: components["schemas"]["Issuer"] | null;
            /** @description How long a day waits for its sources. */
            max_wait_hours: number;
            /** @constant */
            object: "workspace_settings";
            /** @description IANA name, as it was given. Stats are counted by its days. */
            time_zone: string;
            updated: components["schemas"]["Instant"];
            version: number;
        };
        WorkspaceSettingsPatch: {
            anomaly_detection?: boolean | null;
            base_currency?: string | null;
            issuer?: components["schemas"]["IssuerPatch"] | null;
            max_wait_hours?: number | null;
            time_zone?: string | null;
        };
    };
    responses: {
        /** @description The anomaly. */
        Anomaly: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Anomaly"];
            };
        };
        /** @description What the key may do. */
        ApiKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiKey"];
            };
        };
        /** @description The rule. */
        AutomationRule: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AutomationRule"];
            };
        };
        /** @description The brand. */
        Brand: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Brand"];
            };
        };
        /** @description The campaign. */
        Campaign: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Campaign"];
            };
        };
        /** @description The plan. */
        CommissionPlan: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CommissionPlan"];
            };
        };
        /** @description The export. */
        Export: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Export"];
            };
        };
        /** @description A page of exports, newest first. */
        ExportList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExportList"];
            };
        };
        /** @description The import. */
        Import: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Import"];
            };
        };
        /** @description A page of imports, newest first. */
        ImportList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImportList"];
            };
        };
        /** @description The integration. */
        Integration: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Integration"];
            };
        };
        /** @description A page of integrations, newest first. */
        IntegrationList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IntegrationList"];
            };
        };
        /** @description The invoice. */
        Invoice: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Invoice"];
            };
        };
        /** @description The app. */
        OAuthApp: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthApp"];
            };
        };
        /** @description The payout. */
        Payout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Payout"];
            };
        };
        /** @description A problem (RFC 9457) */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The quota is used up; wait as long as Retry-After says */
        QuotaExceeded: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["QuotaExceeded"];
            };
        };
        /** @description The replay */
        Replay: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        /** @description Of a dry run, what would be replayed now */
        ReplayDryRun: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReplayDryRun"];
            };
        };
        /** @description Sums. A final answer has an entity tag and stays the same until one of its days is restated. */
        Stats: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Stats"];
            };
        };
        /** @description The sub-affiliate. */
        SubAffiliate: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SubAffiliate"];
            };
        };
        /** @description The sync run. */
        SyncRun: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SyncRun"];
            };
        };
        /** @description A page of sync runs, newest first. */
        SyncRunList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SyncRunList"];
            };
        };
    };
    parameters: {
        created_gt: components["schemas"]["Instant"];
        created_gte: components["schemas"]["Instant"];
        created_lt: components["schemas"]["Instant"];
        created_lte: components["schemas"]["Instant"];
        /** @description next_cursor of the page before. */
        cursor: string;
        /** @description Of the last attempt; `none` where it had none. */
        dead_error_code: "none" | "timeout" | "dns_not_found" | "dns_failed" | "connection_refused" | "connection_reset" | "connection_failed" | "tls_expired" | "tls_wrong_host" | "tls_untrusted" | "tls_failed" | "destination_not_allowed" | "http_status" | "response_invalid" | "response_too_large";
        dead_reason: "attempts_exhausted" | "subscription_disabled" | "subscription_deleted";
        dead_since: string;
        /** @description Of the last answer. */
        dead_status_class: "1xx" | "2xx" | "3xx" | "4xx" | "5xx";
        dead_until: string;
        dead_webhook_id: string;
        /** @description One type of the event catalog, without a wildcard. */
        event_type_filter: string;
        id: string;
        /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
        idempotency_key: string;
        /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
        idempotency_key_required: string;
        /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
        if_match: string;
        /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
        if_match_required: string;
        integration_id: string;
        limit: number;
        stats_compare: "previous_period" | "previous_period_weekday_aligned" | "previous_month" | "previous_year";
        /** @description ISO 4217. Money is converted to it by the rate of its day, or the nearest one of the 7 days before. Without it money stays in the currency of its row, and `currency` joins the grouping. */
        stats_currency: string;
        stats_finality: "any" | "final_only";
        /** @description Id of the rates to convert by, as `meta.fx` tells it; the newest unless told, with a cursor those of the page before. With `currency` alone. */
        stats_rate_set: string;
        /** @description An IANA name; the workspace's zone unless told. Another one needs sources that count by hours. */
        stats_time_zone: string;
        /** @description Name of an event type. */
        type: string;
    };
    requestBodies: never;
    headers: {
        /** @description Strong entity tag of the content. */
        ETag: string;
        /** @description How many requests are left in this window and how many seconds it lasts, such as `"default";r=588;t=42`. Each service counts its own. */
        RateLimit: string;
        /** @description The policies, such as `"default";q=600;w=60, "concurrency";q=100;qu="concurrent-requests"`. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type AccountSession = components['schemas']['AccountSession'];
export type Amount = components['schemas']['Amount'];
export type Anomaly = components['schemas']['Anomaly'];
export type AnomalyDismissal = components['schemas']['AnomalyDismissal'];
export type AnomalyList = components['schemas']['AnomalyList'];
export type AnomalyNote = components['schemas']['AnomalyNote'];
export type AnomalyText = components['schemas']['AnomalyText'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKeyPatch = components['schemas']['ApiKeyPatch'];
export type AppScopes = components['schemas']['AppScopes'];
export type Attempt = components['schemas']['Attempt'];
export type AttemptNumbers = components['schemas']['AttemptNumbers'];
export type AttemptPeriod = components['schemas']['AttemptPeriod'];
export type AttemptSeries = components['schemas']['AttemptSeries'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AutomationDryRun = components['schemas']['AutomationDryRun'];
export type AutomationRule = components['schemas']['AutomationRule'];
export type AutomationRuleList = components['schemas']['AutomationRuleList'];
export type AutomationRulePatch = components['schemas']['AutomationRulePatch'];
export type BillTo = components['schemas']['BillTo'];
export type Brand = components['schemas']['Brand'];
export type BrandList = components['schemas']['BrandList'];
export type BrandPatch = components['schemas']['BrandPatch'];
export type CalendarDate = components['schemas']['CalendarDate'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignExportQuery = components['schemas']['CampaignExportQuery'];
export type CampaignList = components['schemas']['CampaignList'];
export type CampaignMerge = components['schemas']['CampaignMerge'];
export type CampaignMoney = components['schemas']['CampaignMoney'];
export type CampaignPatch = components['schemas']['CampaignPatch'];
export type Cidrs = components['schemas']['Cidrs'];
export type CodeCounts = components['schemas']['CodeCounts'];
export type CommissionPlan = components['schemas']['CommissionPlan'];
export type CommissionPlanList = components['schemas']['CommissionPlanList'];
export type CommissionPlanPatch = components['schemas']['CommissionPlanPatch'];
export type ConnectedApp = components['schemas']['ConnectedApp'];
export type ConnectedAppList = components['schemas']['ConnectedAppList'];
export type Count = components['schemas']['Count'];
export type Countries = components['schemas']['Countries'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type Credentials = components['schemas']['Credentials'];
export type DeadLetterCause = components['schemas']['DeadLetterCause'];
export type DeadLetterCauses = components['schemas']['DeadLetterCauses'];
export type Deal = components['schemas']['Deal'];
export type DealBaseline = components['schemas']['DealBaseline'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type DeliveryIds = components['schemas']['DeliveryIds'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryStatistics = components['schemas']['DeliveryStatistics'];
export type Dispute = components['schemas']['Dispute'];
export type DisputeReason = components['schemas']['DisputeReason'];
export type DurationBound = components['schemas']['DurationBound'];
export type Event = components['schemas']['Event'];
export type EventList = components['schemas']['EventList'];
export type EventType = components['schemas']['EventType'];
export type EventTypeList = components['schemas']['EventTypeList'];
export type EventTypeSummary = components['schemas']['EventTypeSummary'];
export type Export = components['schemas']['Export'];
export type ExportList = components['schemas']['ExportList'];
export type ExportQuery = components['schemas']['ExportQuery'];
export type Firing = components['schemas']['Firing'];
export type FiringList = components['schemas']['FiringList'];
export type GivenDeal = components['schemas']['GivenDeal'];
export type GivenDealBaseline = components['schemas']['GivenDealBaseline'];
export type GivenRuleCondition = components['schemas']['GivenRuleCondition'];
export type GivenRuleConditions = components['schemas']['GivenRuleConditions'];
export type GivenRuleScope = components['schemas']['GivenRuleScope'];
export type GivenSchedule = components['schemas']['GivenSchedule'];
export type Id = components['schemas']['Id'];
export type Identity = components['schemas']['Identity'];
export type Import = components['schemas']['Import'];
export type ImportList = components['schemas']['ImportList'];
export type Instant = components['schemas']['Instant'];
export type Integration = components['schemas']['Integration'];
export type IntegrationList = components['schemas']['IntegrationList'];
export type IntegrationPatch = components['schemas']['IntegrationPatch'];
export type IntegrationTest = components['schemas']['IntegrationTest'];
export type Invitation = components['schemas']['Invitation'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceExportQuery = components['schemas']['InvoiceExportQuery'];
export type InvoiceLine = components['schemas']['InvoiceLine'];
export type InvoiceLineList = components['schemas']['InvoiceLineList'];
export type InvoiceList = components['schemas']['InvoiceList'];
export type InvoicePatch = components['schemas']['InvoicePatch'];
export type InvoicePeriod = components['schemas']['InvoicePeriod'];
export type InvoiceSummary = components['schemas']['InvoiceSummary'];
export type Issuer = components['schemas']['Issuer'];
export type IssuerPatch = components['schemas']['IssuerPatch'];
export type JsonSchema = components['schemas']['JsonSchema'];
export type KeyScopes = components['schemas']['KeyScopes'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type LedgerEntryList = components['schemas']['LedgerEntryList'];
export type LedgerExportQuery = components['schemas']['LedgerExportQuery'];
export type LedgerMonth = components['schemas']['LedgerMonth'];
export type List = components['schemas']['List'];
export type LogoUpload = components['schemas']['LogoUpload'];
export type MaybeInstant = components['schemas']['MaybeInstant'];
export type MaybeWindow = components['schemas']['MaybeWindow'];
export type Member = components['schemas']['Member'];
export type MemberLosses = components['schemas']['MemberLosses'];
export type Metadata = components['schemas']['Metadata'];
export type MetadataPatch = components['schemas']['MetadataPatch'];
export type Name = components['schemas']['Name'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewAutomationRule = components['schemas']['NewAutomationRule'];
export type NewCampaign = components['schemas']['NewCampaign'];
export type NewCommissionPlan = components['schemas']['NewCommissionPlan'];
export type NewExport = components['schemas']['NewExport'];
export type NewIntegration = components['schemas']['NewIntegration'];
export type NewInvoice = components['schemas']['NewInvoice'];
export type NewInvoiceLine = components['schemas']['NewInvoiceLine'];
export type NewOAuthApp = components['schemas']['NewOAuthApp'];
export type NewPayment = components['schemas']['NewPayment'];
export type NewPayout = components['schemas']['NewPayout'];
export type NewPayoutMethod = components['schemas']['NewPayoutMethod'];
export type NewReplayOfDeadLetters = components['schemas']['NewReplayOfDeadLetters'];
export type NewReplayOfWebhook = components['schemas']['NewReplayOfWebhook'];
export type NewSubAffiliate = components['schemas']['NewSubAffiliate'];
export type OAuthApp = components['schemas']['OAuthApp'];
export type OAuthAppList = components['schemas']['OAuthAppList'];
export type OAuthAppName = components['schemas']['OAuthAppName'];
export type OAuthAppPatch = components['schemas']['OAuthAppPatch'];
export type OAuthAppUsage = components['schemas']['OAuthAppUsage'];
export type OAuthError = components['schemas']['OAuthError'];
export type OAuthErrorList = components['schemas']['OAuthErrorList'];
export type OwnWorkspace = components['schemas']['OwnWorkspace'];
export type Party = components['schemas']['Party'];
export type PartyPatch = components['schemas']['PartyPatch'];
export type PayloadFilter = components['schemas']['PayloadFilter'];
export type Payment = components['schemas']['Payment'];
export type Payout = components['schemas']['Payout'];
export type PayoutExportQuery = components['schemas']['PayoutExportQuery'];
export type PayoutList = components['schemas']['PayoutList'];
export type PayoutStatus = components['schemas']['PayoutStatus'];
export type PayoutType = components['schemas']['PayoutType'];
export type PlanBase = components['schemas']['PlanBase'];
export type PlanMoney = components['schemas']['PlanMoney'];
export type PlanTier = components['schemas']['PlanTier'];
export type PlanType = components['schemas']['PlanType'];
export type Problem = components['schemas']['Problem'];
export type ProtectedResource = components['schemas']['ProtectedResource'];
export type Provider = components['schemas']['Provider'];
export type ProviderList = components['schemas']['ProviderList'];
export type QuotaExceeded = components['schemas']['QuotaExceeded'];
export type RedirectUrls = components['schemas']['RedirectUrls'];
export type RegisteredOAuthApp = components['schemas']['RegisteredOAuthApp'];
export type Replay = components['schemas']['Replay'];
export type ReplayDryRun = components['schemas']['ReplayDryRun'];
export type ReplayList = components['schemas']['ReplayList'];
export type ReplayRate = components['schemas']['ReplayRate'];
export type Role = components['schemas']['Role'];
export type RotateWebhookSecret = components['schemas']['RotateWebhookSecret'];
export type RuleAction = components['schemas']['RuleAction'];
export type RuleActions = components['schemas']['RuleActions'];
export type RuleCondition = components['schemas']['RuleCondition'];
export type RuleEvidence = components['schemas']['RuleEvidence'];
export type RuleMinSample = components['schemas']['RuleMinSample'];
export type RuleScope = components['schemas']['RuleScope'];
export type RuleScopeList = components['schemas']['RuleScopeList'];
export type RuleSubjectType = components['schemas']['RuleSubjectType'];
export type RuleTrigger = components['schemas']['RuleTrigger'];
export type RuleTriggerPatch = components['schemas']['RuleTriggerPatch'];
export type RuleWindow = components['schemas']['RuleWindow'];
export type Schedule = components['schemas']['Schedule'];
export type SchedulePatch = components['schemas']['SchedulePatch'];
export type Scope = components['schemas']['Scope'];
export type Settings = components['schemas']['Settings'];
export type ShownApiKey = components['schemas']['ShownApiKey'];
export type Stats = components['schemas']['Stats'];
export type StatsComparison = components['schemas']['StatsComparison'];
export type StatsDay = components['schemas']['StatsDay'];
export type StatsDayList = components['schemas']['StatsDayList'];
export type StatsFilter = components['schemas']['StatsFilter'];
export type StatsFilterValues = components['schemas']['StatsFilterValues'];
export type StatsMeta = components['schemas']['StatsMeta'];
export type StatsQuery = components['schemas']['StatsQuery'];
export type SubAffiliate = components['schemas']['SubAffiliate'];
export type SubAffiliateBalance = components['schemas']['SubAffiliateBalance'];
export type SubAffiliateExportQuery = components['schemas']['SubAffiliateExportQuery'];
export type SubAffiliateList = components['schemas']['SubAffiliateList'];
export type SubAffiliatePatch = components['schemas']['SubAffiliatePatch'];
export type SubAffiliateStatus = components['schemas']['SubAffiliateStatus'];
export type SyncErrorCode = components['schemas']['SyncErrorCode'];
export type SyncRun = components['schemas']['SyncRun'];
export type SyncRunList = components['schemas']['SyncRunList'];
export type SyncRunWish = components['schemas']['SyncRunWish'];
export type Tags = components['schemas']['Tags'];
export type TestWebhook = components['schemas']['TestWebhook'];
export type TrackingLink = components['schemas']['TrackingLink'];
export type UpdateWebhook = components['schemas']['UpdateWebhook'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCondition = components['schemas']['WebhookCondition'];
export type WebhookList = components['schemas']['WebhookList'];
export type Window = components['schemas']['Window'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspaceSettings = components['schemas']['WorkspaceSettings'];
export type WorkspaceSettingsPatch = components['schemas']['WorkspaceSettingsPatch'];
export type ResponseAnomaly = components['responses']['Anomaly'];
export type ResponseApiKey = components['responses']['ApiKey'];
export type ResponseAutomationRule = components['responses']['AutomationRule'];
export type ResponseBrand = components['responses']['Brand'];
export type ResponseCampaign = components['responses']['Campaign'];
export type ResponseCommissionPlan = components['responses']['CommissionPlan'];
export type ResponseExport = components['responses']['Export'];
export type ResponseExportList = components['responses']['ExportList'];
export type ResponseImport = components['responses']['Import'];
export type ResponseImportList = components['responses']['ImportList'];
export type ResponseIntegration = components['responses']['Integration'];
export type ResponseIntegrationList = components['responses']['IntegrationList'];
export type ResponseInvoice = components['responses']['Invoice'];
export type ResponseOAuthApp = components['responses']['OAuthApp'];
export type ResponsePayout = components['responses']['Payout'];
export type ResponseProblem = components['responses']['Problem'];
export type ResponseQuotaExceeded = components['responses']['QuotaExceeded'];
export type ResponseReplay = components['responses']['Replay'];
export type ResponseReplayDryRun = components['responses']['ReplayDryRun'];
export type ResponseStats = components['responses']['Stats'];
export type ResponseSubAffiliate = components['responses']['SubAffiliate'];
export type ResponseSyncRun = components['responses']['SyncRun'];
export type ResponseSyncRunList = components['responses']['SyncRunList'];
export type ParameterCreatedGt = components['parameters']['created_gt'];
export type ParameterCreatedGte = components['parameters']['created_gte'];
export type ParameterCreatedLt = components['parameters']['created_lt'];
export type ParameterCreatedLte = components['parameters']['created_lte'];
export type ParameterCursor = components['parameters']['cursor'];
export type ParameterDeadErrorCode = components['parameters']['dead_error_code'];
export type ParameterDeadReason = components['parameters']['dead_reason'];
export type ParameterDeadSince = components['parameters']['dead_since'];
export type ParameterDeadStatusClass = components['parameters']['dead_status_class'];
export type ParameterDeadUntil = components['parameters']['dead_until'];
export type ParameterDeadWebhookId = components['parameters']['dead_webhook_id'];
export type ParameterEventTypeFilter = components['parameters']['event_type_filter'];
export type ParameterId = components['parameters']['id'];
export type ParameterIdempotencyKey = components['parameters']['idempotency_key'];
export type ParameterIdempotencyKeyRequired = components['parameters']['idempotency_key_required'];
export type ParameterIfMatch = components['parameters']['if_match'];
export type ParameterIfMatchRequired = components['parameters']['if_match_required'];
export type ParameterIntegrationId = components['parameters']['integration_id'];
export type ParameterLimit = components['parameters']['limit'];
export type ParameterStatsCompare = components['parameters']['stats_compare'];
export type ParameterStatsCurrency = components['parameters']['stats_currency'];
export type ParameterStatsFinality = components['parameters']['stats_finality'];
export type ParameterStatsRateSet = components['parameters']['stats_rate_set'];
export type ParameterStatsTimeZone = components['parameters']['stats_time_zone'];
export type ParameterType = components['parameters']['type'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type $defs = Record<string, never>;
export interface operations {
    readProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metadata of the API as a protected resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List"] & {
                        data: components["schemas"]["Identity"][];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    disconnectIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nobody signs in with it any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, of more than 100 the first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List"] & {
                        data: components["schemas"]["AccountSession"][];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endOneSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nobody is signed in there any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is signed in here alone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listAnomalies: {
        parameters: {
            query?: {
                brand?: string[];
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                "day[gte]"?: components["schemas"]["CalendarDate"];
                "day[lte]"?: components["schemas"]["CalendarDate"];
                limit?: components["parameters"]["limit"];
                metric?: string[];
                severity?: ("low" | "medium" | "high")[];
                status?: ("open" | "acknowledged" | "resolved" | "dismissed")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of anomalies, those found last first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnomalyList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readAnomaly: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Anomaly"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    acknowledgeAnomaly: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AnomalyNote"];
            };
        };
        responses: {
            200: components["responses"]["Anomaly"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    dismissAnomaly: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnomalyDismissal"];
            };
        };
        responses: {
            200: components["responses"]["Anomaly"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    resolveAnomaly: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AnomalyNote"];
            };
        };
        responses: {
            200: components["responses"]["Anomaly"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description Only those that this person made: to be shown before the person is removed, since keys stay. */
                creator?: string;
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownApiKey"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiKey"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ApiKeyPatch"];
            };
        };
        responses: {
            200: components["responses"]["ApiKey"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description 24 unless told.
                     * @enum {unknown}
                     */
                    overlap_hours?: 0 | 1 | 24 | 72;
                };
            };
        };
        responses: {
            /** @description The key with its new text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownApiKey"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listAutomationRules: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                enabled?: boolean;
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rules, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRuleList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createAutomationRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAutomationRule"];
            };
        };
        responses: {
            201: components["responses"]["AutomationRule"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readAutomationRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AutomationRule"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    deleteAutomationRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateAutomationRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationRulePatch"];
                "application/merge-patch+json": components["schemas"]["AutomationRulePatch"];
            };
        };
        responses: {
            200: components["responses"]["AutomationRule"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    disableAutomationRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AutomationRule"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    dryRunAutomationRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subjects that meet the conditions, 500 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationDryRun"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    enableAutomationRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AutomationRule"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listFirings: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                status?: ("succeeded" | "partially_failed" | "failed" | "suppressed" | "simulated")[];
                subject_id?: string[];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of firings, newest first. They are kept for 90 days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiringList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listBrands: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of brands, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readBrand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Brand"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changeBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["BrandPatch"];
            };
        };
        responses: {
            200: components["responses"]["Brand"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                brand?: string[];
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                /** @description How the source names it; unique within an integration. */
                external_id?: string[];
                integration_id?: string[];
                limit?: components["parameters"]["limit"];
                /** @description Ids of campaigns; those that were merged into them. */
                merged_into?: string[];
                status?: ("draft" | "active" | "paused" | "archived")[];
                /** @description Tags separated by commas. Within a tag a comma is written `\,` and a backslash `\\`, as in every list. */
                tag?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCampaign"];
            };
        };
        responses: {
            201: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignPatch"];
                "application/merge-patch+json": components["schemas"]["CampaignPatch"];
            };
        };
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    activateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    archiveCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    mergeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignMerge"];
            };
        };
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Campaign"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readTrackingLink: {
        parameters: {
            query?: {
                /** @description Its external id. Without it the link is nobody's, with nothing in the place of the sub-id. */
                sub_affiliate?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingLink"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listCommissionPlans: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plans, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionPlanList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createCommissionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCommissionPlan"];
            };
        };
        responses: {
            201: components["responses"]["CommissionPlan"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readCommissionPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CommissionPlan"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateCommissionPlan: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionPlanPatch"];
                "application/merge-patch+json": components["schemas"]["CommissionPlanPatch"];
            };
        };
        responses: {
            200: components["responses"]["CommissionPlan"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listConnectedApps: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of live grants, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectedAppList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readConnectedApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectedApp"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endConnectedApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endAllConnectedApps: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many there were */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: components["schemas"]["Count"];
                        /** @constant */
                        object: "ended_connected_apps";
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                /** @description Of the last attempt; `none` where it had none. */
                error_code?: components["parameters"]["dead_error_code"];
                limit?: components["parameters"]["limit"];
                reason?: components["parameters"]["dead_reason"];
                since?: components["parameters"]["dead_since"];
                /** @description Of the last answer. */
                status_class?: components["parameters"]["dead_status_class"];
                /** @description One type of the event catalog, without a wildcard. */
                type?: components["parameters"]["event_type_filter"];
                until?: components["parameters"]["dead_until"];
                webhook_id?: components["parameters"]["dead_webhook_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listDeadLetterCauses: {
        parameters: {
            query?: {
                /** @description Of the last attempt; `none` where it had none. */
                error_code?: components["parameters"]["dead_error_code"];
                reason?: components["parameters"]["dead_reason"];
                since?: components["parameters"]["dead_since"];
                /** @description Of the last answer. */
                status_class?: components["parameters"]["dead_status_class"];
                /** @description One type of the event catalog, without a wildcard. */
                type?: components["parameters"]["event_type_filter"];
                until?: components["parameters"]["dead_until"];
                webhook_id?: components["parameters"]["dead_webhook_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The causes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterCauses"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readStatistics: {
        parameters: {
            query?: {
                interval?: "hour" | "day";
                /** @description At most 7 days before `until` by hour, 90 by day. Default: a day before it by hour, 30 days by day. */
                since?: string;
                /** @description Default: now. */
                until?: string;
                /** @description Only these subscriptions, separated by commas. */
                webhook_id?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryStatistics"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                /** @description Only types of these stabilities, separated by commas. */
                stability?: ("stable" | "beta" | "deprecated")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of event types, without their schemas and examples */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readEventType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of an event type. */
                type: components["parameters"]["type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event type */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventType"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readEventTypeExample: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of an event type. */
                type: components["parameters"]["type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The example */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readEventTypeSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of an event type. */
                type: components["parameters"]["type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonSchema"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description next_cursor of any answer with the same filters. */
                cursor?: string;
                limit?: components["parameters"]["limit"];
                /** @description The earliest `created`. */
                since?: string;
                /** @description Types, or patterns such as `invoice.*`, separated by commas. */
                type?: string[];
                /** @description The latest `created`. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listExports: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                format?: ("csv" | "ndjson")[];
                limit?: components["parameters"]["limit"];
                status?: ("queued" | "running" | "completed" | "failed" | "canceled")[];
                type?: ("stats" | "invoices" | "campaigns" | "sub_affiliates" | "ledger_entries" | "payouts")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportList"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewExport"];
            };
        };
        responses: {
            202: components["responses"]["Export"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Export"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    deleteExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    cancelExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Export"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readExportFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readFiring: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The firing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Firing"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                integration_id?: string[];
                limit?: components["parameters"]["limit"];
                status?: ("queued" | "running" | "completed" | "completed_with_errors" | "failed" | "canceled")[];
                type?: ("stats" | "fx_rates" | "invoice_payments" | "campaigns")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ImportList"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createImport: {
        parameters: {
            query: {
                covers_from?: components["schemas"]["CalendarDate"];
                covers_to?: components["schemas"]["CalendarDate"];
                /** @description With `stats` and `campaigns`, and needed there; the other types belong to no integration. */
                integration_id?: string;
                /** @description With `fx_rates`: who published the rates, as `meta.fx.sources` of stats tells it; the import's id unless told. */
                source?: string;
                type: "stats" | "fx_rates" | "invoice_payments" | "campaigns";
            };
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file, UTF-8, at most 50 MiB, plain or with Content-Encoding gzip (at most 200 MiB and 100 times its size decompressed), at most 500,000 rows (else `feed_too_large`). CSV has a header line; NDJSON has one JSON object a line, and a member that is absent or null is not supplied. Columns and members are named as the canonical fields, or as the integration's mapping says. Those of `fx_rates` are `date`, `base`, `quote` and `rate` (one of `base` costs `rate` of `quote`; one of the two is EUR; a decimal of at most 12 digits before and 12 after the point), at most 100,000 rows. Rates of days and currencies take the place of earlier ones, in a new rate set. Those of `invoice_payments` are `invoice` (its id or number), `reference`, `amount` (a decimal, as `1250.00`), `received` (a date), `method`, and `currency` where it is to be compared with the invoice's. A payment is recorded once by its reference; lines that are rejected stop no others. Those of `campaigns` are `external_id`, `name`, and where they are wanted `status` (of a new one: `draft`, as without it, or `active`), `tags` and `countries` (several with `|` between them), `tracking_url`, `landing_url`, `starts`, `ends`. A line makes the campaign, or changes it to what the line says; an empty cell says nothing. The lines count in their order. */
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            202: components["responses"]["Import"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Import"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Import"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readImportErrors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One rejected line each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                brand?: string[];
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                provider?: string[];
                status?: ("pending" | "active" | "broken" | "paused")[];
                /** @description Tags separated by commas. Within a tag a comma is written `\,` and a backslash `\\`, as in every list. */
                tag?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IntegrationList"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIntegration"];
            };
        };
        responses: {
            201: components["responses"]["Integration"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Integration"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    patchIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationPatch"];
                "application/merge-patch+json": components["schemas"]["IntegrationPatch"];
            };
        };
        responses: {
            200: components["responses"]["Integration"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    pauseIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Integration"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    resumeIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Integration"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    rotatePostbackToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Integration"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    testIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the source said. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listIntegrationSyncRuns: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                status?: ("queued" | "running" | "retry_wait" | "succeeded" | "failed" | "canceled")[];
                trigger?: ("schedule" | "manual" | "retry" | "backfill" | "upload")[];
            };
            header?: never;
            path: {
                integration_id: components["parameters"]["integration_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SyncRunList"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    startSyncRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                integration_id: components["parameters"]["integration_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SyncRunWish"];
            };
        };
        responses: {
            202: components["responses"]["SyncRun"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                brand?: string[];
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                currency?: string[];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                disputed?: boolean;
                /** @description Due before this date. */
                "due[lt]"?: components["schemas"]["CalendarDate"];
                limit?: components["parameters"]["limit"];
                status?: ("draft" | "generated" | "sent" | "overdue" | "paid" | "void")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices, newest first, without their lines, payments and parties. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoice"];
            };
        };
        responses: {
            201: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateInvoice: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoicePatch"];
                "application/merge-patch+json": components["schemas"]["InvoicePatch"];
            };
        };
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readInvoiceCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readInvoicePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    disputeInvoice: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    note?: string | null;
                    reason: components["schemas"]["DisputeReason"];
                };
            };
        };
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    generateInvoice: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listInvoiceLines: {
        parameters: {
            query?: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceLineList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    recordInvoicePayment: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPayment"];
            };
        };
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    resolveInvoiceDispute: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    channel: "manual" | "email" | "portal";
                };
            };
        };
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Invoice"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List"] & {
                        data: components["schemas"]["Member"][];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is no member any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    role: components["schemas"]["Role"];
                };
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readMemberLosses: {
        parameters: {
            query?: {
                /** @description The role instead; without it, removal. */
                role?: components["schemas"]["Role"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would be lost */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberLosses"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    makePasswordLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, good once and for 24 hours, which is never shown again */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expires: components["schemas"]["Instant"];
                        link: string;
                        /** @constant */
                        object: "password_link";
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List"] & {
                        data: components["schemas"]["Invitation"][];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of whom it is for; the page begins with it. */
                    email?: string | null;
                    /** @description Of whom it is for; the page begins with it. */
                    name?: string | null;
                    role: components["schemas"]["Role"];
                };
            };
        };
        responses: {
            /** @description The invitation, and its link, which is never shown again */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: components["schemas"]["Instant"];
                        email: string | null;
                        expires: components["schemas"]["Instant"];
                        id: string;
                        inviter: string | null;
                        link: string;
                        name: string | null;
                        /** @constant */
                        object: "invitation";
                        role: components["schemas"]["Role"];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its link opens nothing any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listOAuthApps: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of apps, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthAppList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    registerOAuthApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    app: components["schemas"]["NewOAuthApp"];
                    logo: components["schemas"]["LogoUpload"];
                };
            };
        };
        responses: {
            /** @description The app with its client secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredOAuthApp"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readOAuthApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthApp"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    deleteOAuthApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateOAuthApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["OAuthAppPatch"];
            };
        };
        responses: {
            200: components["responses"]["OAuthApp"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listOAuthErrors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The errors */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthErrorList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changeOAuthAppLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    logo: components["schemas"]["LogoUpload"];
                };
            };
        };
        responses: {
            200: components["responses"]["OAuthApp"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    publishOAuthApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthApp"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    addClientSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description 24 unless told.
                     * @enum {unknown}
                     */
                    overlap_hours?: 0 | 1 | 24 | 72;
                };
            };
        };
        responses: {
            /** @description The app with its new client secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredOAuthApp"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endClientSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
                secret_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readOAuthAppUsage: {
        parameters: {
            query: {
                app_id: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry for each app that is there, in the order asked for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthAppUsage"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": object;
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                held?: boolean;
                limit?: components["parameters"]["limit"];
                status?: components["schemas"]["PayoutStatus"][];
                sub_affiliate_id?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPayout"];
            };
        };
        responses: {
            201: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    holdPayout: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    reason: "fraud_review" | "details_missing" | "request" | "other";
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    markPayoutFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    failure_code: "method_rejected" | "details_missing" | "limit" | "other";
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    markPayoutPaid: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By default now; not in the future. */
                    paid?: components["schemas"]["Instant"];
                    /** @description Of the bank, as an id. */
                    reference?: string | null;
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    recordPayoutReturn: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By default now; not in the future, and not before it was paid. */
                    returned?: components["schemas"]["Instant"];
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    releasePayout: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match": components["parameters"]["if_match_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payout"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All providers, in one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Provider"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                status?: ("queued" | "running" | "paused" | "completed" | "canceled" | "failed")[];
                webhook_id?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReplayOfDeadLetters"];
            };
        };
        responses: {
            200: components["responses"]["ReplayDryRun"];
            202: components["responses"]["Replay"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Replay"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Replay"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    pauseReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Replay"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    resumeReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Replay"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For writes of this session in this workspace. */
                        csrf_token: string;
                        /** @constant */
                        object: "session";
                        role: components["schemas"]["Role"];
                        user: {
                            email: string | null;
                            id: string;
                            name: string;
                        };
                        workspace: components["schemas"]["OwnWorkspace"];
                        workspaces: components["schemas"]["OwnWorkspace"][];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nobody is signed in in this browser any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    endAllSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nobody is signed in any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    switchWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id: string;
                };
            };
        };
        responses: {
            /** @description Read the session again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    makeConsoleToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To be kept in memory alone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @constant */
                        expires_in: 300;
                        scope: string;
                        /** @constant */
                        token_type: "Bearer";
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["WorkspaceSettingsPatch"];
            };
        };
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    queryStats: {
        parameters: {
            query: {
                compare?: components["parameters"]["stats_compare"];
                /** @description ISO 4217. Money is converted to it by the rate of its day, or the nearest one of the 7 days before. Without it money stays in the currency of its row, and `currency` joins the grouping. */
                currency?: components["parameters"]["stats_currency"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                "filter_not[brand]"?: string[];
                /** @description Ids of campaigns, or how their sources name them. */
                "filter_not[campaign]"?: string[];
                "filter_not[country]"?: string[];
                "filter_not[currency]"?: string[];
                "filter_not[integration]"?: string[];
                "filter_not[sub_affiliate]"?: string[];
                "filter[brand]"?: string[];
                /** @description Ids of campaigns, or how their sources name them. */
                "filter[campaign]"?: string[];
                "filter[country]"?: string[];
                "filter[currency]"?: string[];
                "filter[integration]"?: string[];
                "filter[sub_affiliate]"?: string[];
                finality?: components["parameters"]["stats_finality"];
                from: components["schemas"]["CalendarDate"];
                group_by?: ("day" | "week" | "month" | "brand" | "campaign" | "integration" | "country" | "sub_affiliate" | "currency")[];
                limit?: number;
                /** @description `sub_affiliate_cost` and `margin` are known by days of the workspace, and not by country. The cost of a day is known once it is final. */
                metrics?: string[];
                order_by?: string;
                /** @description Id of the rates to convert by, as `meta.fx` tells it; the newest unless told, with a cursor those of the page before. With `currency` alone. */
                rate_set?: components["parameters"]["stats_rate_set"];
                /** @description An IANA name; the workspace's zone unless told. Another one needs sources that count by hours. */
                time_zone?: components["parameters"]["stats_time_zone"];
                to: components["schemas"]["CalendarDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Stats"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listStatsDays: {
        parameters: {
            query?: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                from?: components["schemas"]["CalendarDate"];
                limit?: components["parameters"]["limit"];
                to?: components["schemas"]["CalendarDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsDayList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readStatsDay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                date: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsDay"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    postStatsQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatsQuery"];
            };
        };
        responses: {
            200: components["responses"]["Stats"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    acceptSubAffiliateInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sub-affiliate is active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "sub_affiliate_invitation";
                        /** @constant */
                        status: "accepted";
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listSubAffiliates: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                plan_id?: string[];
                status?: components["schemas"]["SubAffiliateStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sub-affiliates, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubAffiliateList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createSubAffiliate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubAffiliate"];
            };
        };
        responses: {
            201: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readSubAffiliate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateSubAffiliate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubAffiliatePatch"];
                "application/merge-patch+json": components["schemas"]["SubAffiliatePatch"];
            };
        };
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    adjustSubAffiliate: {
        parameters: {
            query?: never;
            header: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key": components["parameters"]["idempotency_key_required"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: components["schemas"]["Amount"];
                    month?: components["schemas"]["LedgerMonth"];
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readSubAffiliateBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubAffiliateBalance"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    inviteSubAffiliate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                kind?: ("accrual" | "adjustment" | "carryover" | "payout" | "payout_reversal")[];
                limit?: components["parameters"]["limit"];
                month?: components["schemas"]["LedgerMonth"][];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntryList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listPayoutsOfSubAffiliate: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                held?: boolean;
                limit?: components["parameters"]["limit"];
                status?: components["schemas"]["PayoutStatus"][];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changeSubAffiliatePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    effective_from?: components["schemas"]["CalendarDate"];
                    plan_id: string;
                };
            };
        };
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    reactivateSubAffiliate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    removeSubAffiliate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    reason: "left" | "terminated" | "other";
                    /** @description Posts an adjustment that brings the balance to 0; else one that is not 0 is 409 `balance_not_zero`. */
                    write_off?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    suspendSubAffiliate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    reason: "fraud_review" | "inactivity" | "request" | "other";
                };
            };
        };
        responses: {
            200: components["responses"]["SubAffiliate"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listSyncRuns: {
        parameters: {
            query?: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                integration_id?: string[];
                limit?: components["parameters"]["limit"];
                status?: ("queued" | "running" | "retry_wait" | "succeeded" | "failed" | "canceled")[];
                trigger?: ("schedule" | "manual" | "retry" | "backfill" | "upload")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SyncRunList"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readSyncRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SyncRun"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    cancelSyncRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SyncRun"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    retrySyncRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["SyncRun"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                status?: "enabled" | "disabled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The subscription with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
                "application/merge-patch+json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readWebhookCondition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCondition"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                event_id?: string;
                limit?: components["parameters"]["limit"];
                since?: string;
                status?: ("pending" | "retry" | "replay" | "delivered" | "dead" | "failed")[];
                /** @description One type of the event catalog, without a wildcard. */
                type?: components["parameters"]["event_type_filter"];
                until?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReplayOfWebhook"];
            };
        };
        responses: {
            200: components["responses"]["ReplayDryRun"];
            202: components["responses"]["Replay"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description The subscription with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the client. A request that is sent again with it takes effect once, and gets the answer of the first. */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description The delivery, to be read again until it has ended */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    previewStrictEventScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscriptions, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            types: string[];
                            url: string;
                            webhook_id: string;
                        }[];
                        /** @constant */
                        object: "strict_event_scopes";
                        /** @description Whether the workspace has it now. */
                        strict: boolean;
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changeWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what the client saw. Where it has changed since, the answer is 412, and nothing is changed. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    name?: string;
                    /** @description 1 to 63 small letters, digits and hyphens, the first one no hyphen. */
                    slug?: string;
                    strict_event_scopes?: boolean;
                };
            };
        };
        responses: {
            /** @description The workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Such as member_added. */
                action?: string;
                /** @description Such as user:usr_…. */
                actor?: string;
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                /** @description Id of the thing. */
                target?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List"] & {
                        data: components["schemas"]["AuditEntry"][];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
}

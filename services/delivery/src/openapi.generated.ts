// Holds the shapes of the concepts' openapi.yaml. Generated from them by `npm run generate`.
// It must never be edited by hand.
export interface paths {
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        /** Format: date */
        CalendarDate: string;
        Count: number;
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
        Id: string;
        /** Format: date-time */
        Instant: string;
        /** @description A page; each list says what `data` holds. */
        List: {
            has_more: boolean;
            next_cursor: string | null;
            /** @constant */
            object: "list";
        };
        MaybeInstant: components["schemas"]["Instant"] | null;
        /** @description With a character that is seen, and without control characters. */
        Name: string;
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
        /** @description Which events are delivered: those of which every condition holds. `pointer` is a JSON pointer (RFC 6901) from the root of the event, at most 5 members deep, such as `/data/status`. `eq` and `neq` take a text, number, true, false or null; `in` a list of 1 to 50 of them; `gt` and `lt` a number or a text, which is compared with members of its own kind only (texts by code units, which orders dates and instants); `exists` takes true or false. Where the event has no such member, `neq` and `exists` false hold, and nothing else does. 1 to 10 conditions; what cannot be judged is 422 `invalid_filter`. */
        PayloadFilter: {
            all: {
                op: string;
                pointer: string;
                value: unknown;
            }[];
        } | null;
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
        RotateWebhookSecret: {
            /** @default 86400 */
            overlap_seconds: number;
        };
        TestWebhook: {
            /** @description Default is the first type that the subscription asks for. */
            type?: string;
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
    };
    responses: {
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
        limit: number;
    };
    requestBodies: never;
    headers: {
        /** @description How many requests are left in this window and how many seconds it lasts, such as `"default";r=588;t=42`. Each service counts its own. */
        RateLimit: string;
        /** @description The policies, such as `"default";q=600;w=60, "concurrency";q=100;qu="concurrent-requests"`. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type Attempt = components['schemas']['Attempt'];
export type AttemptNumbers = components['schemas']['AttemptNumbers'];
export type AttemptPeriod = components['schemas']['AttemptPeriod'];
export type AttemptSeries = components['schemas']['AttemptSeries'];
export type CalendarDate = components['schemas']['CalendarDate'];
export type Count = components['schemas']['Count'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type DeadLetterCause = components['schemas']['DeadLetterCause'];
export type DeadLetterCauses = components['schemas']['DeadLetterCauses'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type DeliveryIds = components['schemas']['DeliveryIds'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryStatistics = components['schemas']['DeliveryStatistics'];
export type DurationBound = components['schemas']['DurationBound'];
export type Event = components['schemas']['Event'];
export type EventList = components['schemas']['EventList'];
export type Id = components['schemas']['Id'];
export type Instant = components['schemas']['Instant'];
export type List = components['schemas']['List'];
export type MaybeInstant = components['schemas']['MaybeInstant'];
export type Name = components['schemas']['Name'];
export type NewReplayOfDeadLetters = components['schemas']['NewReplayOfDeadLetters'];
export type NewReplayOfWebhook = components['schemas']['NewReplayOfWebhook'];
export type PayloadFilter = components['schemas']['PayloadFilter'];
export type Problem = components['schemas']['Problem'];
export type QuotaExceeded = components['schemas']['QuotaExceeded'];
export type Replay = components['schemas']['Replay'];
export type ReplayDryRun = components['schemas']['ReplayDryRun'];
export type ReplayList = components['schemas']['ReplayList'];
export type ReplayRate = components['schemas']['ReplayRate'];
export type RotateWebhookSecret = components['schemas']['RotateWebhookSecret'];
export type TestWebhook = components['schemas']['TestWebhook'];
export type UpdateWebhook = components['schemas']['UpdateWebhook'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCondition = components['schemas']['WebhookCondition'];
export type WebhookList = components['schemas']['WebhookList'];
export type ResponseProblem = components['responses']['Problem'];
export type ResponseQuotaExceeded = components['responses']['QuotaExceeded'];
export type ResponseReplay = components['responses']['Replay'];
export type ResponseReplayDryRun = components['responses']['ReplayDryRun'];
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
export type ParameterLimit = components['parameters']['limit'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type $defs = Record<string, never>;
export interface operations {
    listDeadLetters: {
        parameters: {
            query: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                /** @description Of the last attempt; `none` where it had none. */
                error_code?: components["parameters"]["dead_error_code"];
                limit: components["parameters"]["limit"];
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
            query: {
                interval: "hour" | "day";
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
    listEvents: {
        parameters: {
            query: {
                /** @description next_cursor of any answer with the same filters. */
                cursor?: string;
                limit: components["parameters"]["limit"];
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
    listReplays: {
        parameters: {
            query: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
    listWebhooks: {
        parameters: {
            query: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
            query: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                event_id?: string;
                limit: components["parameters"]["limit"];
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
}

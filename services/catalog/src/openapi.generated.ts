// Holds the shapes of the concepts' openapi.yaml. Generated from them by `npm run generate`.
// It must never be edited by hand.
export interface paths {
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Format: date */
        CalendarDate: string;
        Count: number;
        Event: {
            /** Format: date-time */
            created: string;
            data: object;
            id: string;
            type: string;
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
        Id: string;
        /** Format: date-time */
        Instant: string;
        /** @description A JSON Schema of draft 2020-12. */
        JsonSchema: {
            $schema: string;
            properties: object;
            required: unknown;
            type: string;
        };
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
    };
    parameters: {
        created_gt: components["schemas"]["Instant"];
        created_gte: components["schemas"]["Instant"];
        created_lt: components["schemas"]["Instant"];
        created_lte: components["schemas"]["Instant"];
        /** @description next_cursor of the page before. */
        cursor: string;
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
export type CalendarDate = components['schemas']['CalendarDate'];
export type Count = components['schemas']['Count'];
export type Event = components['schemas']['Event'];
export type EventType = components['schemas']['EventType'];
export type EventTypeList = components['schemas']['EventTypeList'];
export type EventTypeSummary = components['schemas']['EventTypeSummary'];
export type Id = components['schemas']['Id'];
export type Instant = components['schemas']['Instant'];
export type JsonSchema = components['schemas']['JsonSchema'];
export type List = components['schemas']['List'];
export type MaybeInstant = components['schemas']['MaybeInstant'];
export type Name = components['schemas']['Name'];
export type Problem = components['schemas']['Problem'];
export type QuotaExceeded = components['schemas']['QuotaExceeded'];
export type ResponseProblem = components['responses']['Problem'];
export type ResponseQuotaExceeded = components['responses']['QuotaExceeded'];
export type ParameterCreatedGt = components['parameters']['created_gt'];
export type ParameterCreatedGte = components['parameters']['created_gte'];
export type ParameterCreatedLt = components['parameters']['created_lt'];
export type ParameterCreatedLte = components['parameters']['created_lte'];
export type ParameterCursor = components['parameters']['cursor'];
export type ParameterId = components['parameters']['id'];
export type ParameterIdempotencyKey = components['parameters']['idempotency_key'];
export type ParameterIdempotencyKeyRequired = components['parameters']['idempotency_key_required'];
export type ParameterIfMatch = components['parameters']['if_match'];
export type ParameterIfMatchRequired = components['parameters']['if_match_required'];
export type ParameterLimit = components['parameters']['limit'];
export type ParameterType = components['parameters']['type'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type $defs = Record<string, never>;
export interface operations {
    listEventTypes: {
        parameters: {
            query: {
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
}

// Holds the shapes of the concepts' openapi.yaml. Generated from them by `npm run generate`.
// It must never be edited by hand.
export interface paths {
    "/internal/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The live API key of a digest, for a service that the log has not told of it yet */
        post: operations["introspectKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/introspect/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether an access token was revoked, for a service that cannot see the end of the log and has verified signature and times */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys of access tokens (RFC 7517), for a service that the log has not told of one yet */
        get: operations["readSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/oauth-apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Registers an app in any workspace, whatever its plan, for the operator */
        post: operations["registerOAuthAppAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/oauth-apps/{id}/reinstate": {
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
        /** Lifts a suspension, for the operator */
        post: operations["reinstateOAuthApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/oauth-apps/{id}/suspend": {
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
        /** Suspends an app at once, for the operator */
        post: operations["suspendOAuthApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/people/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Nobody signs in with this account any more, and its grants end; for the operator */
        post: operations["disablePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/people/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disables the account and removes what it says of the person, for good; for the operator */
        post: operations["erasePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/people/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A link for a forgotten password, for the operator */
        post: operations["makePasswordLinkAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/unpublished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** For how long the oldest event has waited to be put on the log, for a service that wants to believe the log */
        get: operations["readUnpublished"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new workspace with its first key, for the operator */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/workspaces/{id}/owners": {
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
         * Makes a person an owner, for the operator
         * @description With a password, an address without an account gets one, which is an owner at once (200). Nobody has proven that an address is his or hers, so an account that is there is not made an owner by its address, and keeps its role: the answer is a link (202), which makes whoever is signed in and uses it an owner.
         */
        post: operations["giveOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/workspaces/{id}/plan": {
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
        /** Sets the plan, for the operator */
        post: operations["changePlan"];
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
        /** Format: date */
        CalendarDate: string;
        /** @description Ranges of IPv4 and IPv6 that the key may be used from, such as 203.0.113.0/24; empty for anywhere. */
        Cidrs: string[];
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
        CreatedWorkspace: {
            api_key: string;
            /** @description For the owner. */
            invitation_link?: string;
            key_id: string;
            /** @description Of the owner. */
            user_id?: string;
            workspace_id: string;
        };
        CreateWorkspace: {
            /** @description first key unless told. */
            key_name?: string;
            name: string;
            owner?: components["schemas"]["OwnerRequest"];
            /**
             * @description free unless told.
             * @enum {unknown}
             */
            plan?: "free" | "pro" | "business" | "enterprise";
            /** @description Of the first key; all eight unless told. */
            scopes?: components["schemas"]["Scope"][] | null;
        };
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
        /** Format: date-time */
        Instant: string;
        IntrospectedKey: {
            cidrs: string[];
            /**
             * Format: date-time
             * @description Of the key or of this text of it
             */
            expires: string | null;
            key_id: string;
            scopes: string[];
            workspace_id: string;
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
        InvitedOwner: {
            invitation_link: string;
        };
        KeyScopes: components["schemas"]["Scope"][];
        /** @description A page; each list says what `data` holds. */
        List: {
            has_more: boolean;
            next_cursor: string | null;
            /** @constant */
            object: "list";
        };
        /** @description PNG, JPEG or WebP, at most 1 MiB and 4,096 × 4,096 pixels. */
        LogoUpload: Uint8Array;
        MaybeInstant: components["schemas"]["Instant"] | null;
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
        OwnerRequest: {
            email: string;
            name?: string;
            /** @description Makes an account; without it, or where the address has an account, an invitation. */
            password?: string;
        };
        OwnWorkspace: {
            id: string;
            name: string;
            /** @enum {unknown} */
            plan: "free" | "pro" | "business" | "enterprise";
            role: components["schemas"]["Role"];
            slug: string;
        };
        PresentOwner: {
            user_id: string;
        };
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
        /** @description Each in its normal form on https; in development also `http` on `localhost`, `127.0.0.1` and `[::1]` with a port. Compared byte for byte. */
        RedirectUrls: string[];
        RegisteredOAuthApp: {
            /** @description Shown this once. */
            client_secret: string;
        } & components["schemas"]["OAuthApp"];
        /** @enum {unknown} */
        Role: "owner" | "admin" | "member" | "viewer";
        /** @enum {unknown} */
        Scope: "stats:read" | "integrations:read" | "integrations:write" | "campaigns:read" | "campaigns:write" | "invoices:read" | "invoices:write" | "webhooks:manage";
        ShownApiKey: {
            /** @description Shown this once. */
            api_key: string;
        } & components["schemas"]["ApiKey"];
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
    };
    responses: {
        /** @description What the key may do. */
        ApiKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiKey"];
            };
        };
        /** @description The id, which streams and the audit log go on naming */
        EndedPerson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    user_id: string;
                };
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
    };
    requestBodies: {
        NamedPerson: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
    };
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
export type AccountSession = components['schemas']['AccountSession'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKeyPatch = components['schemas']['ApiKeyPatch'];
export type AppScopes = components['schemas']['AppScopes'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type CalendarDate = components['schemas']['CalendarDate'];
export type Cidrs = components['schemas']['Cidrs'];
export type ConnectedApp = components['schemas']['ConnectedApp'];
export type ConnectedAppList = components['schemas']['ConnectedAppList'];
export type Count = components['schemas']['Count'];
export type CreatedWorkspace = components['schemas']['CreatedWorkspace'];
export type CreateWorkspace = components['schemas']['CreateWorkspace'];
export type Id = components['schemas']['Id'];
export type Identity = components['schemas']['Identity'];
export type Instant = components['schemas']['Instant'];
export type IntrospectedKey = components['schemas']['IntrospectedKey'];
export type Invitation = components['schemas']['Invitation'];
export type InvitedOwner = components['schemas']['InvitedOwner'];
export type KeyScopes = components['schemas']['KeyScopes'];
export type List = components['schemas']['List'];
export type LogoUpload = components['schemas']['LogoUpload'];
export type MaybeInstant = components['schemas']['MaybeInstant'];
export type Member = components['schemas']['Member'];
export type MemberLosses = components['schemas']['MemberLosses'];
export type Name = components['schemas']['Name'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewOAuthApp = components['schemas']['NewOAuthApp'];
export type OAuthApp = components['schemas']['OAuthApp'];
export type OAuthAppList = components['schemas']['OAuthAppList'];
export type OAuthAppName = components['schemas']['OAuthAppName'];
export type OAuthAppPatch = components['schemas']['OAuthAppPatch'];
export type OAuthAppUsage = components['schemas']['OAuthAppUsage'];
export type OAuthError = components['schemas']['OAuthError'];
export type OAuthErrorList = components['schemas']['OAuthErrorList'];
export type OwnerRequest = components['schemas']['OwnerRequest'];
export type OwnWorkspace = components['schemas']['OwnWorkspace'];
export type PresentOwner = components['schemas']['PresentOwner'];
export type Problem = components['schemas']['Problem'];
export type QuotaExceeded = components['schemas']['QuotaExceeded'];
export type RedirectUrls = components['schemas']['RedirectUrls'];
export type RegisteredOAuthApp = components['schemas']['RegisteredOAuthApp'];
export type Role = components['schemas']['Role'];
export type Scope = components['schemas']['Scope'];
export type ShownApiKey = components['schemas']['ShownApiKey'];
export type Workspace = components['schemas']['Workspace'];
export type ResponseApiKey = components['responses']['ApiKey'];
export type ResponseEndedPerson = components['responses']['EndedPerson'];
export type ResponseOAuthApp = components['responses']['OAuthApp'];
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
export type RequestBodyNamedPerson = components['requestBodies']['NamedPerson'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type $defs = Record<string, never>;
export interface operations {
    introspectKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description SHA-256 of the key */
                    digest: string;
                };
            };
        };
        responses: {
            /** @description The key; null when it is not accepted, for whatever reason */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["IntrospectedKey"] | null;
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    client_id: string;
                    /** @description Of a console token its session. */
                    grant_id: string;
                    jti: string;
                    member_rev: number;
                    scopes: string[];
                    user_id: string;
                    workspace_id: string;
                };
            };
        };
        responses: {
            /** @description False when it was revoked, in whatever way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: boolean;
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key Set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: object[];
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    registerOAuthAppAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    app: components["schemas"]["NewOAuthApp"];
                    logo: components["schemas"]["LogoUpload"];
                    workspace_id: components["schemas"]["Id"];
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
    reinstateOAuthApp: {
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
            /** @description What it was before. */
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
    suspendOAuthApp: {
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
            /** @description Suspended. */
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
    disablePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NamedPerson"];
        responses: {
            200: components["responses"]["EndedPerson"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    erasePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NamedPerson"];
        responses: {
            200: components["responses"]["EndedPerson"];
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    makePasswordLinkAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NamedPerson"];
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
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    readUnpublished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Milliseconds; 0 when nothing waits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        oldest_ms: number;
                    };
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspace"];
            };
        };
        responses: {
            /** @description The workspace, and the key that is never shown again */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWorkspace"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    giveOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnerRequest"];
            };
        };
        responses: {
            /** @description The account is an owner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentOwner"];
                };
            };
            /** @description Nobody is an owner yet; a link for whoever is to be, which is never shown again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedOwner"];
                };
            };
            429: components["responses"]["QuotaExceeded"];
            default: components["responses"]["Problem"];
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    plan: "free" | "pro" | "business" | "enterprise";
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
    listApiKeys: {
        parameters: {
            query: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description Only those that this person made: to be shown before the person is removed, since keys stay. */
                creator?: string;
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
    listConnectedApps: {
        parameters: {
            query: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
    listMembers: {
        parameters: {
            query: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
            query: {
                "created[gt]"?: components["parameters"]["created_gt"];
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                "created[lte]"?: components["parameters"]["created_lte"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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
            query: {
                /** @description Such as member_added. */
                action?: string;
                /** @description Such as user:usr_…. */
                actor?: string;
                "created[gte]"?: components["parameters"]["created_gte"];
                "created[lt]"?: components["parameters"]["created_lt"];
                /** @description next_cursor of the page before. */
                cursor?: components["parameters"]["cursor"];
                limit: components["parameters"]["limit"];
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

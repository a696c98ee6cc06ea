// Generated from the OpenAPI document of the service. Do not edit: npm run types --workspace dashboard
export interface paths {
    "/v1/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is alive */
        get: operations["get_health_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process can serve requests */
        get: operations["get_health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Alias of /v1/health/live */
        get: operations["get_healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Alias of /v1/health/ready */
        get: operations["get_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public properties of this service
         * @description `version` is that of the interface. `signup_open` is false if signing up requires an invite. `mailer` is false if the service sends no mail, so that a forgotten password needs a reset link from an owner.
         */
        get: operations["get_meta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Creates a user, an organization and a first workspace. With `invite_token`, the user joins the inviting organization instead. Addresses are not verified by mail, so the response is 409 if the address is already registered. It is 403 if this service admits only invited users. Rate limits apply by IP address and by account: 429 with Retry-After.
         */
        post: operations["post_auth_signup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description The response contains a `device_token`. A client that stores it and sends it with the next login has a limit of its own, so that wrong passwords from other clients cannot lock its user out. The token is not a credential. It is valid for this user only, for 180 days or until the password changes. An invalid token is ignored. Rate limits apply by IP address and by account: 429 with Retry-After.
         */
        post: operations["post_auth_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the tokens
         * @description Each use rotates the refresh token. If the previous token is sent again within 30 s, the response contains the same new refresh token; any other reuse ends the session. With the header `x-tracewright-session: cookie`, the token is sent and returned in a cookie, and the request needs no body. The Origin of the request must then be the service; otherwise the response is 403.
         */
        post: operations["post_auth_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of a refresh token
         * @description The access tokens of the session are refused at once by the front that answers, normally within a second by the others, after 5 s at worst. With the header `x-tracewright-session: cookie`, the request ends the session of the cookie and deletes the cookie, under the same conditions as a refresh.
         */
        post: operations["post_auth_logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the signed-in user and their organizations */
        get: operations["get_auth_me"];
        put?: never;
        post?: never;
        /**
         * Delete the signed-in user
         * @description All sessions of the user end, and their address, name and password are removed. An organization without other members is deleted with its workspaces and all their data. The audit log keeps the id of the user. API keys that the user created in organizations with other members remain valid. Wrong passwords are limited by session, as for a password change: 429 with Retry-After.
         */
        delete: operations["delete_auth_me"];
        options?: never;
        head?: never;
        /**
         * Change your name or time zone
         * @description Omitted fields keep their values; null removes a value.
         */
        patch: operations["patch_auth_me"];
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Ends all other sessions of the user and keeps this one. Open reset links become invalid. Access tokens of an ended session are refused at once by the front that answers, normally within a second by the others, after 5 s at worst. Rate limits apply by session, by user and by IP address: 429 with Retry-After.
         */
        post: operations["post_auth_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Most recently used first, at most 20. `last_used_at` is the sign-in or the last refresh; a client in use refreshes every 10 minutes. `ip_prefix` is the first 24 bits of the IPv4 address or 48 bits of the IPv6 address at that time, or null if the address is unknown. The service does not store complete addresses.
         */
        get: operations["get_auth_sessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description The session of the request continues. Access tokens of an ended session are refused at once by the front that answers, normally within a second by the others, after 5 s at worst.
         */
        delete: operations["delete_auth_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Idempotent. The session can be that of the request. Access tokens of an ended session are refused at once by the front that answers, normally within a second by the others, after 5 s at worst.
         */
        delete: operations["delete_auth_sessions_session_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the page that reset links open
         * @description A form that sends the token of the link and a new password to POST /v1/auth/reset/confirm.
         */
        get: operations["get_reset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset
         * @description The response is 202 whether or not the address has an account. If it has one and the service has a mail server (`mailer` of GET /v1/meta), the service mails a link to the address, at most 3 an hour. The link is valid for one hour and works once. Rate limits apply by IP address: 429 with Retry-After.
         */
        post: operations["post_auth_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with a reset token
         * @description The token is the part of the link after `#token=`. Ends all sessions of the user and makes all their reset tokens invalid. The user then signs in with the new password. A rate limit applies by IP address: 429 with Retry-After.
         */
        post: operations["post_auth_reset_confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orgs/{org_id}/members/{user_id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a reset link for a member
         * @description Requires the role owner. Anyone who has the link can sign in as the member. Therefore the response is 409 if the member also belongs to an organization that the caller does not own; the service checks this again when the link is used. Only this response contains the link. It is valid for one hour, works once, and replaces earlier links.
         */
        post: operations["post_orgs_org_id_members_user_id_reset_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the key set (JWKS) that verifies access tokens */
        get: operations["get_auth_jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the key set (JWKS) that verifies access tokens */
        get: operations["get_well_known_jwks_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orgs/{org_id}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invites of an organization
         * @description Requires the role admin or above. Newest first; accepted and expired invites are not listed.
         */
        get: operations["get_orgs_org_id_invites"];
        put?: never;
        /**
         * Invite an e-mail address to an organization
         * @description Requires the role admin or above; only an owner can invite an owner. A new invite replaces an open invite to the same address; only an owner can replace an invite to the role owner. The service sends no e-mail. Only this response contains the token, so pass it on to the invited person. The token is valid for 7 days and for this address only.
         */
        post: operations["post_orgs_org_id_invites"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invite to an organization */
        post: operations["post_invites_accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up an invite by its token
         * @description Says what the holder of the token is invited to, but not the address that the invite is for. The response is 404 if the invite is unknown, used, replaced, withdrawn or expired.
         */
        post: operations["post_invites_lookup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orgs/{org_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of an organization */
        get: operations["get_orgs_org_id_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orgs/{org_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from an organization, or leave it
         * @description Every member can leave. Removing others requires the role admin or above; only an owner can remove an owner. The last owner cannot leave. An organization without other members is deleted with the account of its only member (DELETE /v1/auth/me).
         */
        delete: operations["delete_orgs_org_id_members_user_id"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Requires the role admin or above. Only an owner can grant the role owner or change the role of an owner. The role of the last owner cannot change. Open invites to a role that the member can no longer grant are withdrawn.
         */
        patch: operations["patch_orgs_org_id_members_user_id"];
        trace?: never;
    };
    "/v1/orgs/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename an organization
         * @description Requires the role admin or above.
         */
        patch: operations["patch_orgs_org_id"];
        trace?: never;
    };
    "/v1/orgs/{org_id}/invites/{invite_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an open invite
         * @description Requires the role admin or above; only an owner can withdraw an invite to the role owner. Its token stops working at once.
         */
        delete: operations["delete_orgs_org_id_invites_invite_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orgs/{org_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log of an organization
         * @description Requires the role admin or above. Newest first; a cursor fixes the window and the filters. Entries are kept for 400 days and are never changed. They contain no content, passwords, tokens or key texts. The log contains the entries of all workspaces of the organization, including deleted ones, and the account actions of people while they were members: sign-ins, failed sign-ins, sign-outs, password changes, password resets, and deletion of the account. These entries remain when the member leaves, is removed or deletes the account.
         */
        get: operations["get_orgs_org_id_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log of a workspace
         * @description Requires the role admin or above. Newest first; a cursor fixes the window and the filters. Entries are kept for 400 days and are never changed. They contain no content, passwords, tokens or key texts.
         */
        get: operations["get_workspaces_workspace_id_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspaces of all organizations of the caller */
        get: operations["get_workspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Requires the role admin or above. org_id is required only for members of several organizations. On the free plan a user can create 3 workspaces in the organizations that they belong to, including the workspace of the sign-up; deleted workspaces do not count.
         */
        post: operations["post_workspaces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a workspace and everything in it
         * @description Requires the role admin or above. The keys of the workspace stop working at once; the service removes its data soon after.
         */
        delete: operations["delete_workspaces_workspace_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the settings of a workspace */
        get: operations["get_workspaces_workspace_id_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of a workspace
         * @description Requires the role admin or above. Omitted fields keep their values. The plan cannot be changed here, and existing rules keep their settings.
         */
        patch: operations["patch_workspaces_workspace_id_settings"];
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the prices that a workspace has set for models
         * @description In the order in which they were given. Empty if only the price list of the service applies. The ETag of the answer names this state of the list, for `If-Match` of a change.
         */
        get: operations["get_workspaces_workspace_id_prices"];
        /**
         * Replace the prices that a workspace has set for models
         * @description They take precedence over the price list of the service, which prices the events that match none of them. Requires the role admin or above. Applies to events that arrive later, on every front after 5 seconds at most; the costs of stored events do not change.
         */
        put: operations["put_workspaces_workspace_id_prices"];
        post?: never;
        /**
         * Remove all prices that a workspace has set for models
         * @description From then on only the price list of the service applies. Requires the role admin or above. Applies to events that arrive later, on every front after 5 seconds at most; the costs of stored events do not change.
         */
        delete: operations["delete_workspaces_workspace_id_prices"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspace/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the workspace of the key and its limits, for SDKs */
        get: operations["get_workspace_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of one workspace, or of all workspaces of the caller
         * @description Newest first. Revoked keys are included.
         */
        get: operations["get_keys"];
        put?: never;
        /**
         * Create an API key for a workspace
         * @description Requires the role admin or above. Only this response contains api_key: the service stores only a hash of the key.
         */
        post: operations["post_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Requires the role admin or above. Revoking a revoked key has no effect. The service stops accepting the key within one second.
         */
        delete: operations["delete_keys_key_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/otlp/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest OTLP traces
         * @description OTLP over HTTP. The response comes after the spans are committed. A span that cannot be decoded or stored is counted in partial_success.rejected_spans; the other spans are stored. A batch that is sent again is not stored twice. Of text that may contain secrets or personal data, at most 32 Mi characters of a request are scanned; values beyond that are stored as `[redacted:unscanned]`, and error_message says so (content mode `redacted` and `none`).
         */
        post: operations["post_otlp_v1_traces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apply/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active optimization rules
         * @description Send the ETag of the rules that you have as If-None-Match: the response is 304 while they are current. With `wait`, the service holds a request that would get a 304 for up to that many seconds, until the rules change; if the key is revoked meanwhile, the response is 401. `Age` is present if the rules come from memory while the service cannot check them or receive changes: it is the number of seconds since they were known to be current.
         */
        get: operations["get_apply_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apply/tool-result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the stored result for a matched rule
         * @description Returns the encrypted result of the newest execution that matches the rule, if that execution did not fail, was not invalidated, and is not older than the age limit of the rule. Otherwise the response is 404, which does not name the reason; on a 404, run the tool.
         */
        get: operations["get_apply_tool_result"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apply/invalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invalidate stored results of a tool
         * @description The service no longer serves results of executions of the tool that began before this request. An agent, a version and an input limit the invalidation to them. Executions that begin later are not affected. SDKs receive a new version of the rules. A front accepts 200 invalidations of a workspace in 10 s, and at most 100 wait; beyond that, the response is 429 with Retry-After. A workspace has at most 10,000 different invalidations; beyond that, the older half of those of the tool with the most becomes one of the whole tool.
         */
        post: operations["post_apply_invalidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description The agents of a workspace, most recent activity first.
         */
        get: operations["get_workspaces_workspace_id_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one agent */
        get: operations["get_workspaces_workspace_id_agents_agent_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/stats/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the totals of a window
         * @description Totals of the events that start in a window, of at most 400 days: from_time is included, to_time is not. Counts of events, calls and tokens, and costs are exact. If a bound of the window lies inside of a minute with more than 50,000 events in the window, it is rounded to the minute. Percentiles are within 1 % of their value, and distinct counts are exact up to 100,000; in a window with fewer than 5,000 events, of which retention has removed none, all figures are exact. There, from_time and to_time are exact to the microsecond; with more events they are rounded outwards to the millisecond, in the response too.
         */
        get: operations["get_workspaces_workspace_id_stats_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/stats/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the totals of a window by time
         * @description Buckets are aligned to the Unix epoch, and days to midnight in time_zone; there are at most 2,000. Grouping by model counts only model calls, and grouping by tool only tool calls. The series other sums the series that are not shown separately, and any series that is itself named other. If a bound of the window lies inside of a minute with more than 50,000 events in the window, it is rounded to the minute.
         */
        get: operations["get_workspaces_workspace_id_stats_timeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/stats/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the totals of a window by group
         * @description The largest agents, models, tools or kinds. Grouping by model counts only model calls, and grouping by tool only tool calls.
         */
        get: operations["get_workspaces_workspace_id_stats_breakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/stats/savings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the savings by rules
         * @description Net savings, which can be negative: in total over all decisions with served or held-out calls in the window, for each of these decisions (most served calls first, at most 1,000) and for each bucket.
         */
        get: operations["get_workspaces_workspace_id_stats_savings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/stats/instrumentations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get telemetry health by instrumentation
         * @description One item for each instrumentation scope, version and dialect, most spans first, at most 1,000. It shows which part of the set-up sends spans that the service cannot understand, reports calls twice, or lacks prices. All counts are exact; if a bound lies inside of a minute with more than 50,000 events in the window, it is rounded to the minute.
         */
        get: operations["get_workspaces_workspace_id_stats_instrumentations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List traces
         * @description Newest first. A cursor fixes the window and the filters. In the order of start_time, each trace that was in the window when the first page was read is on exactly one page. One request reads a limited number of traces: if few of them match the filters, a page can be short or empty and still have a next_cursor. In the order of duration_ms or cost_usd the list is a live ranking: a trace whose rank changes between two pages can be on both or on neither.
         */
        get: operations["get_workspaces_workspace_id_traces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/traces/{trace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one trace
         * @description The trace and its spans in the order of their start, one page at a time.
         */
        get: operations["get_workspaces_workspace_id_traces_trace_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Newest first. A cursor fixes the window and the filters; each event that was in the window when the first page was read is on exactly one page. One request reads a limited number of events: if few of them match the filters, a page can be short or empty and still have a next_cursor.
         */
        get: operations["get_workspaces_workspace_id_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/events/tail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as they are committed
         * @description Events in the order in which they were committed, oldest first. A first call without a cursor returns at once, with no items and a cursor for the current position. Commits are listed for an hour: if a cursor is older, skipped counts the events that are no longer listed. A cursor from before a database failover is refused with 422: start again without a cursor.
         */
        get: operations["get_workspaces_workspace_id_events_tail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one event
         * @description The event with its attributes and with the content that the content mode of the workspace stores.
         */
        get: operations["get_workspaces_workspace_id_events_event_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the events of a workspace
         * @description Requires the role admin or above, and is recorded in the audit log. One line of JSON for each event, oldest first, gzip if the client accepts it. The export contains exactly the events of the window that were committed when it began and that retention does not remove meanwhile, each as it is when its page is read. To resume after a lost connection, drop an incomplete last line, and send the cursor of the last complete line in the header `x-tracewright-cursor`; if there is no complete line, send the cursor of the response header. No event is then lost or sent twice, even if events are stored meanwhile. The trailer `x-tracewright-cursor` is sent only after all events: a request with it exports the events of the same window that were committed since, including those that start earlier. A cursor is valid for a day. A cursor from before a database failover that lost transactions is refused with 422. A front runs at most two exports of a workspace, two of a user and four in total at a time; beyond that the response is 429 or 503 with Retry-After.
         */
        get: operations["get_workspaces_workspace_id_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up an id
         * @description The id of a trace, span, session, agent, decision, finding or API key of the workspace. A span is found by its `<trace_id>.<span_id>`; by its span id alone among the newest 200,000 spans only.
         */
        get: operations["get_workspaces_workspace_id_lookup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the usage record */
        get: operations["get_workspaces_workspace_id_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/usage/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the outcomes of received spans by day */
        get: operations["get_workspaces_workspace_id_usage_timeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/usage/rejections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List why spans were rejected
         * @description The reasons of the month, the most frequent first.
         */
        get: operations["get_workspaces_workspace_id_usage_rejections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List decisions
         * @description Most recently changed first. Decisions in every state are listed unless type or state filter them.
         */
        get: operations["get_workspaces_workspace_id_decisions"];
        put?: never;
        /**
         * Propose a decision
         * @description Requires the role member or above. Omitted fields of config get their defaults. At most one decision that is not disabled can exist for a type, tool, input and agent, and at most 1,000 in all; one with a config longer than 1.5 KiB counts once for each 1.5 KiB.
         */
        post: operations["post_workspaces_workspace_id_decisions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/decisions/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count decisions by state and type */
        get: operations["get_workspaces_workspace_id_decisions_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/decisions/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one decision */
        get: operations["get_workspaces_workspace_id_decisions_decision_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit trail of a decision
         * @description Oldest first unless order says otherwise. Entries are never changed or removed.
         */
        get: operations["get_workspaces_workspace_id_decisions_decision_id_transitions"];
        put?: never;
        /**
         * Move a decision to another state
         * @description Requires the role member or above. Allowed moves: proposed to shadow or disabled, shadow to active or disabled, active to shadow or disabled, disabled to shadow. A rule that is not proven becomes active only with force. A rule that a user moves from active to shadow stays there until a user activates it. A disabled rule returns only within the limit of decisions.
         */
        post: operations["post_workspaces_workspace_id_decisions_decision_id_transitions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/decisions/{decision_id}/measurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the measured match rate of a decision over time
         * @description points has at most 250 points of one age limit: the one that the rule serves, or the next one to prove. It has one point for each period of that length in which the rule was tested; the last point is exact. A rule of type suppress_dead is tested by session, in periods of ten minutes: its trials are sessions, and a session matches if no model used a result in it. lower is the lower bound of the share of right results. rungs has the evidence at every age limit.
         */
        get: operations["get_workspaces_workspace_id_decisions_decision_id_measurements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/decisions/{decision_id}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the trials of a decision
         * @description The newest real executions that the rule would have answered, including held-out ones: at most 1,000 of each outcome, oldest first, each with the execution whose result would have been served. For a rule of type suppress_dead: the first execution of each session.
         */
        get: operations["get_workspaces_workspace_id_decisions_decision_id_trials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List findings
         * @description The list is live: a finding that is seen again, or whose estimate changes, between two pages can move up.
         */
        get: operations["get_workspaces_workspace_id_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/findings/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count findings by type, severity and status */
        get: operations["get_workspaces_workspace_id_findings_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/findings/{finding_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a finding */
        get: operations["get_workspaces_workspace_id_findings_finding_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the status of a finding
         * @description Requires the role member or above. An acknowledged finding is still updated and stays acknowledged. A resolved finding no longer changes: if the problem is seen again, the service opens a new finding.
         */
        patch: operations["patch_workspaces_workspace_id_findings_finding_id"];
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["get_openapi_json"];
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
        WorkspacePriceInput: {
            /**
             * @description The model of an event, case-insensitive. `*` matches any text: `gpt-4o*`. A name takes precedence over a pattern, a pattern with more other characters over one with fewer, then the earlier row over the later one
             * @example my-llama-*
             */
            model: string;
            /**
             * @description The provider of an event, under any of its usual names. A row with a provider takes precedence over all rows without
             * @example vllm
             */
            provider?: string | null;
            /**
             * @description USD for a million input tokens
             * @example 0.2
             */
            input_usd_per_m: number;
            /**
             * @description USD for a million output tokens, reasoning included
             * @example 0.8
             */
            output_usd_per_m: number;
            /** @description USD for a million input tokens that are read from a cache. Default: the price of input tokens */
            cached_usd_per_m?: number | null;
            /** @description USD for a million input tokens that are written to a cache. Default: the price of input tokens */
            cache_write_usd_per_m?: number | null;
            /** @description To the millisecond. The row applies to events that start at this time or later; without it, to all events. If several rows differ only in this field, the latest one that is not after the start of the event applies */
            valid_from?: string | null;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: {
                [key: string]: "ok" | "failed";
            };
        };
        Meta: {
            version: string;
            signup_open: boolean;
            mailer: boolean;
        };
        Problem: {
            detail: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string | null;
            time_zone: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Org: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        HTTPValidationError: {
            detail: components["schemas"]["ValidationError"][];
        };
        ValidationError: {
            loc: (string | number)[];
            msg: string;
            type: string;
            input?: unknown;
            ctx?: {
                [key: string]: unknown;
            };
        };
        Tokens: {
            access_token: string;
            /** @description Absent if the token is in a cookie */
            refresh_token?: string;
            /** @constant */
            token_type: "Bearer";
            expires_in: number;
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string;
            user_agent: string | null;
            ip_prefix: string | null;
            current: boolean;
        };
        ResetLink: {
            url: string;
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        Invite: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        OpenInvite: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** Format: uuid */
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        InviteView: {
            org_name: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description The name of the person who invited, or else their address */
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
        };
        Member: {
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string | null;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** Format: date-time */
            created_at: string;
        };
        AuditPage: {
            items: components["schemas"]["AuditLine"][];
            next_cursor: string | null;
        };
        AuditLine: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description `auth.signup`, `auth.login`, `auth.login_failed`, `auth.refresh_reuse`, `auth.logout`, `auth.session_end`, `auth.profile_change`, `auth.password_change`, `auth.password_failed`, `auth.reset_request`, `auth.reset_link`, `auth.reset`, `user.delete`, `org.change`, `org.delete`, `member.invite`, `member.invite_delete`, `member.join`, `member.role`, `member.remove`, `workspace.create`, `workspace.change`, `workspace.delete`, `workspace.export`, `prices.change`, `key.mint`, `key.revoke`, `decision.propose`, `decision.move`; a later release may add others */
            action: string;
            /** @description Null if the request was not authenticated. The id of a deleted user is kept, but no longer identifies a person */
            actor_user_id: string | null;
            /** @description Null if the user is deleted */
            actor_email: string | null;
            workspace_id: string | null;
            /** @description The id of the object that the action applied to */
            target: string | null;
            /** @description The name of that object now: the address of a person or an invite, the name of a workspace or a key, the tool of a rule. Null if it has none or no longer exists */
            target_name: string | null;
            request_id: string | null;
            /** @description The source address of the request, truncated to /24 (IPv4) or /48 (IPv6) */
            ip_prefix: string | null;
            detail: {
                [key: string]: string | number | boolean;
            } | null;
        };
        Workspace: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            org_id: string;
            org_name: string;
        };
        WorkspaceSettings: {
            name: string;
            plan: string;
            /**
             * @description The content of messages and tool calls that is stored: `full` as sent, `redacted` after redaction, `none` nothing. Applies to events that arrive later
             * @enum {string}
             */
            content_mode: "none" | "redacted" | "full";
            /** @description The maximum age of a served result, in seconds, for rules that do not set another */
            default_freshness_s: number;
            /** @description If true, the service moves proposed decisions to shadow; if false, a user must move them */
            auto_shadow: boolean;
            /** @description The share of matched calls that run for real while a rule is active; for rules proposed from now on */
            holdout_rate: number;
            /** @description The share of right results that a rule must surpass; for rules proposed from now on */
            floor: number;
            /** @description The maximum probability that a rule at or below the floor is ever proven; for rules proposed from now on */
            alpha: number;
            /** @description Days for which events, traces, results and findings are kept; null: the retention of the plan. Older data is removed within hours */
            retention_days: number | null;
            /** @description Days for which the plan keeps them; null: no limit */
            plan_retention_days: number | null;
        };
        WorkspacePrice: {
            /** @description The model of an event, case-insensitive. `*` matches any text: `gpt-4o*`. A name takes precedence over a pattern, a pattern with more other characters over one with fewer, then the earlier row over the later one */
            model: string;
            /** @description The provider of an event, under any of its usual names. A row with a provider takes precedence over all rows without */
            provider: string | null;
            /** @description USD for a million input tokens */
            input_usd_per_m: number;
            /** @description USD for a million output tokens, reasoning included */
            output_usd_per_m: number;
            /** @description USD for a million input tokens that are read from a cache. Default: the price of input tokens */
            cached_usd_per_m: number | null;
            /** @description USD for a million input tokens that are written to a cache. Default: the price of input tokens */
            cache_write_usd_per_m: number | null;
            /** @description To the millisecond. The row applies to events that start at this time or later; without it, to all events. If several rows differ only in this field, the latest one that is not after the start of the event applies */
            valid_from: string | null;
        };
        MintedKey: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workspace_id: string;
            key_prefix: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            revoked_at: string | null;
            api_key: string;
        };
        Key: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workspace_id: string;
            key_prefix: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            revoked_at: string | null;
        };
        Rules: {
            /** @description `<mark>.<n>`: n is the number of changes so far; the mark is random and different for each change. Compare the whole text: after a failover that lost transactions, n can occur a second time */
            version: string;
            /**
             * Format: date-time
             * @description When this version was created
             */
            generated_at: string;
            poll_after_s: number;
            rules: {
                /** Format: uuid */
                decision_id: string;
                type: string;
                tool_name: string;
                /** @description Matches calls of a tool that declares exactly this version; null: of a tool that declares no version */
                tool_version: string | null;
                /** @description Matches calls with this input; null: see inputs */
                input_hash: string | null;
                /** @description Matches calls with these inputs: base64 of the first 8 bytes of each input hash, sorted. For a hash `<name>:<hex>` with at least 16 digits, these are the bytes of the digits; for any other text, those of its SHA-256. An invalidated input is omitted until the rule is measured again. The rules of a workspace list at most 196,608 inputs in all. Null: not limited to listed inputs */
                inputs: string[] | null;
                agent_id: string | null;
                agent_name: string | null;
                freshness_s: number;
                holdout_rate: number;
                config: {
                    [key: string]: unknown;
                };
                /** @description False for a rule that a user activated before it was proven */
                proven: boolean;
                activated_at: string | null;
                /** @description Results of executions that began at this time or before are not served: they were invalidated */
                executed_after: string | null;
            }[];
        };
        ToolResult: {
            /** @description The hash that the decrypted result must have */
            content_hash: string;
            ciphertext_b64: string;
            iv_b64: string;
            tag_b64: string;
            key_id: string;
            /**
             * Format: date-time
             * @description End of the execution that produced the result
             */
            cached_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            decision_id: string;
        };
        /** @description One agent of a workspace */
        Agent: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description active: seen in the last 24 hours
             * @enum {string}
             */
            status: "active" | "idle";
            /**
             * @description Models that the agent called, in order of name
             * @example [
             *       "gpt-4.1-mini"
             *     ]
             */
            models: string[];
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
        };
        /** @description The totals of one window and of each model in it */
        StatsSummary: {
            /** Format: date-time */
            from_time: string;
            /** Format: date-time */
            to_time: string;
            total_events: number;
            llm_calls: number;
            /** @description Traces with an event that starts in the window. The list of traces has those that start in it: a trace that began earlier is counted here and not listed there. With agent_id, traces with an event of the agent; the list has those whose root is the agent's. Distinct values. Exact up to 100,000, unless more than 64 MiB of rollups must be read to count them or an earlier release wrote some of these; otherwise an estimate with a standard error of 0.8 %, or 1.6 % if filtered or grouped */
            traces: number;
            /** @description Distinct values. Exact up to 100,000, unless more than 64 MiB of rollups must be read to count them or an earlier release wrote some of these; otherwise an estimate with a standard error of 0.8 %, or 1.6 % if filtered or grouped */
            sessions: number;
            /** @description Failures: a failed call counts once, however many spans carry its error; an error outside of calls counts at the innermost span */
            errors: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            cache_write_tokens: number;
            reasoning_tokens: number;
            /** @example 0.0123 */
            cost_usd: number;
            /** @description Calls without a known price; cost_usd does not include them */
            unpriced_calls: number;
            /**
             * @description What prompt caching saved; negative if writing to the cache cost more
             * @example 0.0123
             */
            estimated_cache_savings_usd: number;
            /** @description Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events */
            p50_duration_ms: number;
            /** @description Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events */
            p95_duration_ms: number;
            /** @description Most expensive first, at most 1,000 */
            models: components["schemas"]["ModelRow"][];
        };
        ModelRow: {
            /**
             * @description unknown if the sender did not name the model
             * @example gpt-4.1-mini
             */
            model: string;
            llm_calls: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            /** @example 0.0123 */
            cost_usd: number;
        };
        /** @description The totals of each bucket of one window; empty buckets have zeros */
        StatsTimeseries: {
            /** Format: date-time */
            from_time: string;
            /** Format: date-time */
            to_time: string;
            interval_s: number;
            series: components["schemas"]["StatsSeries"][];
        };
        StatsSeries: {
            /**
             * @description all if not grouped; the id of an agent; other for the remaining series
             * @example all
             */
            key: string;
            /** @description The key in readable form; for an agent, its name */
            label: string;
            points: components["schemas"]["StatsPoint"][];
        };
        StatsPoint: {
            /**
             * Format: date-time
             * @description Start of the bucket; the first may begin before the window
             */
            time: string;
            events: number;
            llm_calls: number;
            tool_calls: number;
            served_calls: number;
            /** @description Failures: a failed call counts once, however many spans carry its error; an error outside of calls counts at the innermost span */
            errors: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            /** @example 0.0123 */
            cost_usd: number;
            /** @description Calls without a known price; cost_usd does not include them */
            unpriced_calls: number;
            /** @description Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events */
            p50_duration_ms: number;
            /** @description Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events */
            p95_duration_ms: number;
            /** @description Distinct values. Exact up to 100,000, unless more than 64 MiB of rollups must be read to count them or an earlier release wrote some of these; otherwise an estimate with a standard error of 0.8 %, or 1.6 % if filtered or grouped */
            traces: number;
            cache_write_tokens: number;
        };
        StatsBreakdown: {
            /** @description Largest first */
            items: components["schemas"]["BreakdownRow"][];
            /** @description The sum of all others; null if there are none */
            other: components["schemas"]["BreakdownRow"] | null;
        };
        BreakdownRow: {
            key: string;
            label: string;
            events: number;
            llm_calls: number;
            tool_calls: number;
            served_calls: number;
            /** @description Failures: a failed call counts once, however many spans carry its error; an error outside of calls counts at the innermost span */
            errors: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            /** @example 0.0123 */
            cost_usd: number;
            /** @description Calls without a known price; cost_usd does not include them */
            unpriced_calls: number;
            /** @description Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events */
            p50_duration_ms: number;
            /** @description Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events */
            p95_duration_ms: number;
            /** @description Distinct values. Exact up to 100,000, unless more than 64 MiB of rollups must be read to count them or an earlier release wrote some of these; otherwise an estimate with a standard error of 0.8 %, or 1.6 % if filtered or grouped */
            distinct_inputs: number;
        };
        /** @description The savings of the rules in a window, less their costs */
        Savings: {
            /** Format: date-time */
            from_time: string;
            /** Format: date-time */
            to_time: string;
            interval_s: number;
            /** @description What the served calls would have cost, each at the mean cost that the spans of real executions with its input report */
            gross_usd: number;
            /** @description The cost of the held-out calls, which ran for real so that the rules can be measured. It is not deducted from net_usd */
            holdout_cost_usd: number;
            /** @description Prompt-cache savings that were lost on served results, compared with real results */
            cache_loss_usd: number;
            /** @description The cost of wrong served results: gross_usd times the share of wrong results among the held-out calls of the same activation of the rule */
            wrong_cost_usd: number;
            /** @description gross_usd minus cache_loss_usd and wrong_cost_usd; negative if the rules cost more than they saved */
            net_usd: number;
            latency_saved_ms: number;
            served_calls: number;
            holdout_calls: number;
            decisions: {
                /** Format: uuid */
                decision_id: string;
                type: string;
                state: string;
                tool_name: string;
                input_hash: string | null;
                /** @description What the served calls would have cost, each at the mean cost that the spans of real executions with its input report */
                gross_usd: number;
                /** @description The cost of the held-out calls, which ran for real so that the rules can be measured. It is not deducted from net_usd */
                holdout_cost_usd: number;
                /** @description Prompt-cache savings that were lost on served results, compared with real results */
                cache_loss_usd: number;
                /** @description The cost of wrong served results: gross_usd times the share of wrong results among the held-out calls of the same activation of the rule */
                wrong_cost_usd: number;
                /** @description gross_usd minus cache_loss_usd and wrong_cost_usd; negative if the rules cost more than they saved */
                net_usd: number;
                latency_saved_ms: number;
                served_calls: number;
                holdout_calls: number;
            }[];
            points: {
                /** Format: date-time */
                time: string;
                /** @description What the served calls would have cost, each at the mean cost that the spans of real executions with its input report */
                gross_usd: number;
                /** @description The cost of the held-out calls, which ran for real so that the rules can be measured. It is not deducted from net_usd */
                holdout_cost_usd: number;
                /** @description Prompt-cache savings that were lost on served results, compared with real results */
                cache_loss_usd: number;
                /** @description The cost of wrong served results: gross_usd times the share of wrong results among the held-out calls of the same activation of the rule */
                wrong_cost_usd: number;
                /** @description gross_usd minus cache_loss_usd and wrong_cost_usd; negative if the rules cost more than they saved */
                net_usd: number;
                latency_saved_ms: number;
                served_calls: number;
                holdout_calls: number;
            }[];
        };
        /** @description What each instrumentation scope sent in a window */
        Instrumentations: {
            items: components["schemas"]["Instrumentation"][];
        };
        Instrumentation: {
            /**
             * @description Name of the instrumentation scope; null if the spans have none. A minute, an hour or a day holds 256 scopes; further scopes are named other
             * @example opentelemetry.instrumentation.openai.v1
             */
            scope_name: string | null;
            scope_version: string | null;
            /**
             * @description The dialect that the spans are in, by their scope or their attributes; null if it is not known
             * @example opentelemetry
             * @example openinference
             * @example traceloop
             */
            dialect: string | null;
            spans: number;
            /** @description Spans by kind; kinds without spans are omitted */
            by_kind: {
                [key: string]: number;
            };
            /** @description Share of the spans that have the kind “other” */
            other_share: number;
            /** @description Spans of model calls that another instrumentation reports too; one span of each call counts */
            told_twice: number;
            /** @description Of the spans in told_twice, those that do not count, because a span of another instrumentation counts instead */
            repeated: number;
            /** @description Model calls that report tokens but have no price */
            unpriced: number;
            /** @description Model calls whose sender reports a cost that differs from the computed one by more than 5 % */
            cost_disagreements: number;
            /** @description The sum of these differences */
            cost_disagreement_usd: number;
            /** @description Spans whose agent is named neither by a span of their trace nor by the resource; their agent is service.name or unknown */
            agents_unnamed: number;
            /**
             * Format: date-time
             * @description Latest start of a span
             */
            last_seen: string;
        };
        TracePage: {
            items: components["schemas"]["TraceSummary"][];
            /** @description Fetches the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description One trace, with totals over its spans */
        TraceSummary: {
            /**
             * @description 32 lower-case hex characters
             * @example 5b8efff798038103d269b633813fc60c
             */
            trace_id: string;
            /** @description Name of the root span, or of the earliest span while no root span has arrived */
            name: string;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
            session_id: string | null;
            user_id: string | null;
            /**
             * @description error if any span has the status error
             * @enum {string}
             */
            status: "ok" | "error";
            /** Format: date-time */
            start_time: string;
            /** Format: date-time */
            end_time: string;
            duration_ms: number;
            span_count: number;
            llm_calls: number;
            tool_calls: number;
            served_calls: number;
            holdout_calls: number;
            /** @description Failures: a failed call counts once, however many spans carry its error. At least 1 if any span has the status error */
            error_count: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            cache_write_tokens: number;
            /** @description Null if no counted call has a price */
            cost_usd: number | null;
            unpriced_calls: number;
            models: string[];
            tools: string[];
            /** @description False while agents, sessions and counts can still change */
            settled: boolean;
        };
        /** @description One trace with a page of its spans */
        TraceDetail: {
            /**
             * @description 32 lower-case hex characters
             * @example 5b8efff798038103d269b633813fc60c
             */
            trace_id: string;
            /** @description Name of the root span, or of the earliest span while no root span has arrived */
            name: string;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
            session_id: string | null;
            user_id: string | null;
            /**
             * @description error if any span has the status error
             * @enum {string}
             */
            status: "ok" | "error";
            /** Format: date-time */
            start_time: string;
            /** Format: date-time */
            end_time: string;
            duration_ms: number;
            span_count: number;
            llm_calls: number;
            tool_calls: number;
            served_calls: number;
            holdout_calls: number;
            /** @description Failures: a failed call counts once, however many spans carry its error. At least 1 if any span has the status error */
            error_count: number;
            input_tokens: number;
            output_tokens: number;
            cached_tokens: number;
            cache_write_tokens: number;
            /** @description Null if no counted call has a price */
            cost_usd: number | null;
            unpriced_calls: number;
            models: string[];
            tools: string[];
            /** @description False while agents, sessions and counts can still change */
            settled: boolean;
            /** @description In the order of their start */
            spans: components["schemas"]["Event"][];
            /** @description Fetches the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description One stored span, in the same form for every instrumentation */
        Event: {
            /**
             * @description `<trace_id>.<span_id>`; followed by `.` and the start in Unix microseconds if the trace has several spans with this id (flag `id_repeated`, final once the trace is settled)
             * @example 5b8efff798038103d269b633813fc60c.eee19b7ec3c1b174
             */
            id: string;
            /**
             * @description 32 lower-case hex characters
             * @example 5b8efff798038103d269b633813fc60c
             */
            trace_id: string;
            /**
             * @description 16 lower-case hex characters
             * @example eee19b7ec3c1b174
             */
            span_id: string;
            parent_span_id: string | null;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
            session_id: string | null;
            /** @enum {string} */
            kind: "llm" | "embedding" | "tool" | "agent" | "chain" | "retriever" | "reranker" | "guardrail" | "evaluator" | "memory" | "other";
            name: string;
            /** @enum {string} */
            status: "ok" | "error";
            error_type: string | null;
            error_message: string | null;
            /** @example gpt-4.1-mini */
            model: string | null;
            /** @example openai */
            provider: string | null;
            tool_name: string | null;
            tool_call_id: string | null;
            input_hash: string | null;
            /** @description The version that the tool declares */
            tool_version: string | null;
            /** @description Hash of the scope, such as a user or tenant, that the result belongs to */
            scope_hash: string | null;
            /** @description The sender attests that the same input gives the same result */
            attested: boolean;
            /** @description The sender attests that nothing depends on the content of the result */
            attested_unread: boolean;
            /** @description Whether the tool is read-only, as stated by the sender; null if not stated */
            read_only: boolean | null;
            served: boolean;
            holdout: boolean;
            decision_id: string | null;
            ttft_ms: number | null;
            /** Format: date-time */
            start_time: string;
            /** @description Null if the duration is unknown */
            end_time: string | null;
            duration_ms: number | null;
            input_tokens: number | null;
            output_tokens: number | null;
            cached_tokens: number | null;
            cache_write_tokens: number | null;
            reasoning_tokens: number | null;
            /** @description Null if no price is known, or if an event of this kind has no price */
            cost_usd: number | null;
            /** @description The cost that the sender states. If it differs from `cost_usd` by more than 5 %, the flag `cost_disagrees` is set */
            provided_cost_usd: number | null;
            /** @description The source of `cost_usd`: the prices of the workspace (`workspace`), the price list of the service (`table`), or the sender, for a model without a price in both. Null without a cost */
            pricing_source: ("workspace" | "table" | "sender") | null;
            /**
             * @description What the service corrected or could not determine when it stored the span. `content_withheld`: the request exceeded the limit of text to redact, and the values that were not scanned are stored as `[redacted:unscanned]`
             * @example [
             *       "unpriced"
             *     ]
             */
            flags: string[];
        };
        EventPage: {
            items: components["schemas"]["Event"][];
            /** @description Fetches the next page; null on the last page */
            next_cursor: string | null;
        };
        EventTail: {
            items: components["schemas"]["Event"][];
            next_cursor: string;
            /** @description Number of events, before filters, that were stored after the cursor but can no longer be listed in commit order; list the events to read them */
            skipped: number;
        };
        /** @description An event with all content that the content mode of its workspace stores */
        EventDetail: {
            /**
             * @description `<trace_id>.<span_id>`; followed by `.` and the start in Unix microseconds if the trace has several spans with this id (flag `id_repeated`, final once the trace is settled)
             * @example 5b8efff798038103d269b633813fc60c.eee19b7ec3c1b174
             */
            id: string;
            /**
             * @description 32 lower-case hex characters
             * @example 5b8efff798038103d269b633813fc60c
             */
            trace_id: string;
            /**
             * @description 16 lower-case hex characters
             * @example eee19b7ec3c1b174
             */
            span_id: string;
            parent_span_id: string | null;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
            session_id: string | null;
            /** @enum {string} */
            kind: "llm" | "embedding" | "tool" | "agent" | "chain" | "retriever" | "reranker" | "guardrail" | "evaluator" | "memory" | "other";
            name: string;
            /** @enum {string} */
            status: "ok" | "error";
            error_type: string | null;
            error_message: string | null;
            /** @example gpt-4.1-mini */
            model: string | null;
            /** @example openai */
            provider: string | null;
            tool_name: string | null;
            tool_call_id: string | null;
            input_hash: string | null;
            /** @description The version that the tool declares */
            tool_version: string | null;
            /** @description Hash of the scope, such as a user or tenant, that the result belongs to */
            scope_hash: string | null;
            /** @description The sender attests that the same input gives the same result */
            attested: boolean;
            /** @description The sender attests that nothing depends on the content of the result */
            attested_unread: boolean;
            /** @description Whether the tool is read-only, as stated by the sender; null if not stated */
            read_only: boolean | null;
            served: boolean;
            holdout: boolean;
            decision_id: string | null;
            ttft_ms: number | null;
            /** Format: date-time */
            start_time: string;
            /** @description Null if the duration is unknown */
            end_time: string | null;
            duration_ms: number | null;
            input_tokens: number | null;
            output_tokens: number | null;
            cached_tokens: number | null;
            cache_write_tokens: number | null;
            reasoning_tokens: number | null;
            /** @description Null if no price is known, or if an event of this kind has no price */
            cost_usd: number | null;
            /** @description The cost that the sender states. If it differs from `cost_usd` by more than 5 %, the flag `cost_disagrees` is set */
            provided_cost_usd: number | null;
            /** @description The source of `cost_usd`: the prices of the workspace (`workspace`), the price list of the service (`table`), or the sender, for a model without a price in both. Null without a cost */
            pricing_source: ("workspace" | "table" | "sender") | null;
            /**
             * @description What the service corrected or could not determine when it stored the span. `content_withheld`: the request exceeded the limit of text to redact, and the values that were not scanned are stored as `[redacted:unscanned]`
             * @example [
             *       "unpriced"
             *     ]
             */
            flags: string[];
            /**
             * @example {
             *       "http.response.status_code": 200
             *     }
             */
            attributes: {
                [key: string]: unknown;
            };
            resource: {
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
                schema_url: string;
            };
            scope: {
                name: string;
                version: string;
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
            };
            events: {
                name: string;
                time: string | null;
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
            }[];
            links: {
                /**
                 * @description 32 lower-case hex characters
                 * @example 5b8efff798038103d269b633813fc60c
                 */
                trace_id: string;
                /**
                 * @description 16 lower-case hex characters
                 * @example eee19b7ec3c1b174
                 */
                span_id: string;
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Counts of what the sender dropped before it sent the span */
            dropped: {
                attributes: number;
                events: number;
                links: number;
            };
            input_messages?: components["schemas"]["Message"][];
            output_messages?: components["schemas"]["Message"][];
            tool_arguments?: unknown;
            tool_result?: unknown;
            /** @description A stored tool result that only the owner of the key can decrypt */
            encrypted?: {
                bytes: number;
                key_id: string | null;
            };
        };
        /** @description One message, in the same form for every instrumentation */
        Message: {
            role: string;
            parts: ({
                /**
                 * @example text
                 * @example reasoning
                 * @example tool_call
                 * @example tool_result
                 * @example image
                 * @example blob
                 */
                type: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        /** @description One line of an export */
        ExportedEvent: {
            /**
             * @description `<trace_id>.<span_id>`; followed by `.` and the start in Unix microseconds if the trace has several spans with this id (flag `id_repeated`, final once the trace is settled)
             * @example 5b8efff798038103d269b633813fc60c.eee19b7ec3c1b174
             */
            id: string;
            /**
             * @description 32 lower-case hex characters
             * @example 5b8efff798038103d269b633813fc60c
             */
            trace_id: string;
            /**
             * @description 16 lower-case hex characters
             * @example eee19b7ec3c1b174
             */
            span_id: string;
            parent_span_id: string | null;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
            session_id: string | null;
            /** @enum {string} */
            kind: "llm" | "embedding" | "tool" | "agent" | "chain" | "retriever" | "reranker" | "guardrail" | "evaluator" | "memory" | "other";
            name: string;
            /** @enum {string} */
            status: "ok" | "error";
            error_type: string | null;
            error_message: string | null;
            /** @example gpt-4.1-mini */
            model: string | null;
            /** @example openai */
            provider: string | null;
            tool_name: string | null;
            tool_call_id: string | null;
            input_hash: string | null;
            /** @description The version that the tool declares */
            tool_version: string | null;
            /** @description Hash of the scope, such as a user or tenant, that the result belongs to */
            scope_hash: string | null;
            /** @description The sender attests that the same input gives the same result */
            attested: boolean;
            /** @description The sender attests that nothing depends on the content of the result */
            attested_unread: boolean;
            /** @description Whether the tool is read-only, as stated by the sender; null if not stated */
            read_only: boolean | null;
            served: boolean;
            holdout: boolean;
            decision_id: string | null;
            ttft_ms: number | null;
            /** Format: date-time */
            start_time: string;
            /** @description Null if the duration is unknown */
            end_time: string | null;
            duration_ms: number | null;
            input_tokens: number | null;
            output_tokens: number | null;
            cached_tokens: number | null;
            cache_write_tokens: number | null;
            reasoning_tokens: number | null;
            /** @description Null if no price is known, or if an event of this kind has no price */
            cost_usd: number | null;
            /** @description The cost that the sender states. If it differs from `cost_usd` by more than 5 %, the flag `cost_disagrees` is set */
            provided_cost_usd: number | null;
            /** @description The source of `cost_usd`: the prices of the workspace (`workspace`), the price list of the service (`table`), or the sender, for a model without a price in both. Null without a cost */
            pricing_source: ("workspace" | "table" | "sender") | null;
            /**
             * @description What the service corrected or could not determine when it stored the span. `content_withheld`: the request exceeded the limit of text to redact, and the values that were not scanned are stored as `[redacted:unscanned]`
             * @example [
             *       "unpriced"
             *     ]
             */
            flags: string[];
            /**
             * @example {
             *       "http.response.status_code": 200
             *     }
             */
            attributes: {
                [key: string]: unknown;
            };
            resource: {
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
                schema_url: string;
            };
            scope: {
                name: string;
                version: string;
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
            };
            events: {
                name: string;
                time: string | null;
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
            }[];
            links: {
                /**
                 * @description 32 lower-case hex characters
                 * @example 5b8efff798038103d269b633813fc60c
                 */
                trace_id: string;
                /**
                 * @description 16 lower-case hex characters
                 * @example eee19b7ec3c1b174
                 */
                span_id: string;
                /**
                 * @example {
                 *       "http.response.status_code": 200
                 *     }
                 */
                attributes: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Counts of what the sender dropped before it sent the span */
            dropped: {
                attributes: number;
                events: number;
                links: number;
            };
            input_messages?: components["schemas"]["Message"][];
            output_messages?: components["schemas"]["Message"][];
            tool_arguments?: unknown;
            tool_result?: unknown;
            /** @description A stored tool result that only the owner of the key can decrypt */
            encrypted?: {
                bytes: number;
                key_id: string | null;
            };
            /** @description Send it in the header `x-tracewright-cursor` to continue after this event */
            cursor: string;
        };
        Lookup: {
            /** @enum {string} */
            kind: "trace" | "span" | "session" | "agent" | "decision" | "finding" | "key";
            id: string;
            /** @description The trace of a span */
            trace_id?: string;
        };
        /** @description The usage record of one month */
        Usage: {
            /** Format: uuid */
            workspace_id: string;
            /** @example team */
            plan: string;
            /** Format: date-time */
            period_start: string;
            /** Format: date-time */
            period_end: string;
            accepted_events: number;
            /** @description Spans that were dropped because the event quota was used up; a span that is sent again counts once */
            dropped_events_quota: number;
            /** @description Number of dropped spans of agents beyond the cap; a span that is sent again counts once. Spans are kept if their trace has stored spans, or if they name no agent and their parent has not arrived */
            dropped_events_agent_cap: number;
            /** @description Events a month; null: unlimited */
            event_quota: number | null;
            /** @description Agents; null: unlimited */
            agent_cap: number | null;
            /** @description Agents that currently count towards the cap. A provisional agent, assumed for spans whose parent has not arrived, counts only after a trace with it is settled, and only if the cap is not reached */
            agents: number;
            quota_exceeded: boolean;
        };
        /** @description All days of the month; each received span has exactly one outcome */
        UsageTimeseries: {
            /** Format: uuid */
            workspace_id: string;
            /** Format: date-time */
            period_start: string;
            /** Format: date-time */
            period_end: string;
            points: components["schemas"]["UsageDay"][];
        };
        /** @description The outcomes of the spans that were received on one day (UTC) */
        UsageDay: {
            /** Format: date-time */
            time: string;
            stored: number;
            duplicate: number;
            rejected: number;
            /** @description A span that is sent again is dropped again */
            dropped_quota: number;
            /** @description A span that is sent again is dropped again */
            dropped_agent_cap: number;
            /** @description Sum of dropped_quota and dropped_agent_cap */
            dropped: number;
        };
        Rejection: {
            /** @example invalid_trace_id */
            reason: string;
            count: number;
            /** Format: date-time */
            last_seen: string;
            /** @description The message of the last span that was rejected for this reason */
            example: string;
        };
        /** @description An optimization rule and its state in the lifecycle */
        Decision: {
            /** Format: uuid */
            id: string;
            task_type_id: string | null;
            /**
             * @example reuse_identity
             * @example suppress_dead
             */
            type: string;
            /**
             * @example proposed
             * @example shadow
             * @example active
             * @example disabled
             */
            state: string;
            previous_state: string | null;
            /**
             * @example {
             *       "tool_name": "search",
             *       "freshness_s": 86400,
             *       "holdout_rate": 0.05
             *     }
             */
            config: {
                [key: string]: unknown;
            };
            shadow_samples: number;
            shadow_match_rate: number | null;
            /** @description Per served call; negative if the rule saves money */
            cost_delta_usd: number | null;
            /** @description Per served call; negative if the rule saves time */
            latency_delta_ms: number | null;
            quality_delta: number | null;
            score: {
                [key: string]: unknown;
            } | null;
            proposed_at: string | null;
            shadow_at: string | null;
            activated_at: string | null;
            disabled_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        DecisionSummary: {
            total: number;
            by_state: {
                proposed: number;
                shadow: number;
                active: number;
                disabled: number;
            };
            /** @description Every known type, and any other type in the workspace */
            by_type: {
                [key: string]: {
                    proposed: number;
                    shadow: number;
                    active: number;
                    disabled: number;
                };
            };
        };
        DecisionTransition: {
            /** Format: uuid */
            id: string;
            /** @description Null for the entry that created the decision */
            from_state: string | null;
            to_state: string;
            /** @enum {string} */
            actor: "gate" | "user";
            user_id: string | null;
            reason: string | null;
            /** @description The measurements at the time of the move. If an active rule ends without any, those that were made last while it was active, with a score of null if there were none */
            measures: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            at: string;
        };
        DecisionMeasurements: {
            floor: number;
            alpha: number;
            points: {
                /** @description Trials so far */
                trial: number;
                /** Format: date-time */
                time: string;
                matches: number;
                rate: number;
                lower: number;
                upper: number;
            }[];
            /** @description The evidence at every age limit, lowest first; a forced age limit comes before all others */
            rungs: {
                /** @description The age limit; null for a rule of type suppress_dead */
                freshness_s: number | null;
                /** @description Length of a period */
                block_s: number;
                /** @description A user activated the rule at this age limit without a proof */
                forced: boolean;
                points: {
                    /** Format: date-time */
                    time: string;
                    /** @description The rule is proven at this age limit when the evidence reaches 1/alpha */
                    evidence: number;
                    /** @description Trials so far; 0 where the evidence restarts after a breach */
                    trials: number;
                    wrong: number;
                }[];
            }[];
        };
        DecisionTrialPage: {
            items: components["schemas"]["DecisionTrial"][];
            /** @description Fetches the next page; null on the last page */
            next_cursor: string | null;
        };
        DecisionTrial: {
            /** Format: date-time */
            at: string;
            /** @description 32 lower-case hex characters */
            trace_id: string;
            /** @description 16 lower-case hex characters */
            span_id: string;
            /** @description The execution whose result would have been served */
            candidate_trace_id: string | null;
            candidate_span_id: string | null;
            /** @description Seconds from the end of that execution to the start of this one */
            age_s: number | null;
            /** @description Null if the results cannot be compared */
            matched: boolean | null;
            counted: boolean;
            excluded_reason: ("no_candidate" | "no_content_hash" | "not_consumed" | "pending" | "clustered") | null;
        };
        FindingPage: {
            items: components["schemas"]["Finding"][];
            /** @description Fetches the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description Waste or a fault that was detected in traces, with its evidence and its estimated cost */
        Finding: {
            /** Format: uuid */
            id: string;
            /** @example repeated_tool_call */
            type: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** @enum {string} */
            status: "open" | "acknowledged" | "resolved";
            title: string;
            detail: string;
            agent_id: string | null;
            tool_name: string | null;
            model: string | null;
            occurrences: number;
            /** @description The mean daily cost of the observed days (`evidence.observed`), times 30. Null if no event reports a price, or if less than 24 hours were observed; `evidence.price.seen_usd` is then the observed cost. */
            est_monthly_cost_usd: number | null;
            /**
             * @example {
             *       "trace_ids": [
             *         "5b8efff798038103d269b633813fc60c"
             *       ]
             *     }
             */
            evidence: {
                [key: string]: unknown;
            };
            decision_id: string | null;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
        };
        FindingSummary: {
            total: number;
            by_status: {
                open: number;
                acknowledged: number;
                resolved: number;
            };
            by_severity: {
                info: {
                    open: number;
                    acknowledged: number;
                    resolved: number;
                };
                warning: {
                    open: number;
                    acknowledged: number;
                    resolved: number;
                };
                critical: {
                    open: number;
                    acknowledged: number;
                    resolved: number;
                };
            };
            /** @description Every known type, and any other type in the workspace */
            by_type: {
                [key: string]: {
                    open: number;
                    acknowledged: number;
                    resolved: number;
                };
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_health_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description No */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    get_health_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description No */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    get_healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description No */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    get_readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description No */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    get_meta: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meta"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_auth_signup: {
        parameters: {
            query?: never;
            header?: {
                /** @description For web pages of the service: the refresh token is only in the cookie `__Host-tw_refresh`, which scripts cannot read */
                "x-tracewright-session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    name?: string | null;
                    org_name?: string | null;
                    invite_token?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                        org: components["schemas"]["Org"];
                        access_token: string;
                        /** @description Absent if the token is in a cookie */
                        refresh_token?: string;
                        /** @constant */
                        token_type: "Bearer";
                        expires_in: number;
                        device_token: string;
                    };
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_auth_login: {
        parameters: {
            query?: never;
            header?: {
                /** @description For web pages of the service: the refresh token is only in the cookie `__Host-tw_refresh`, which scripts cannot read */
                "x-tracewright-session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    device_token?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                        access_token: string;
                        /** @description Absent if the token is in a cookie */
                        refresh_token?: string;
                        /** @constant */
                        token_type: "Bearer";
                        expires_in: number;
                        device_token: string;
                    };
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_auth_refresh: {
        parameters: {
            query?: never;
            header?: {
                /** @description For web pages of the service: the refresh token is only in the cookie `__Host-tw_refresh`, which scripts cannot read */
                "x-tracewright-session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    refresh_token?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_auth_logout: {
        parameters: {
            query?: never;
            header?: {
                /** @description For web pages of the service: the refresh token is only in the cookie `__Host-tw_refresh`, which scripts cannot read */
                "x-tracewright-session"?: "cookie";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    refresh_token?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_auth_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                        orgs: components["schemas"]["Org"][];
                    };
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_auth_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_auth_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    time_zone?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                        orgs: components["schemas"]["Org"][];
                    };
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_auth_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_auth_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_auth_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_auth_sessions_session_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    post_auth_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_auth_reset_confirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_orgs_org_id_members_user_id_reset_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetLink"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_auth_jwks: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that verify access tokens: the current key, the next key and, for an hour after a rotation, the previous key */
            200: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            [key: string]: string;
                        }[];
                    };
                };
            };
            /** @description The key set named by If-None-Match is current */
            304: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    get_well_known_jwks_json: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that verify access tokens: the current key, the next key and, for an hour after a rotation, the previous key */
            200: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            [key: string]: string;
                        }[];
                    };
                };
            };
            /** @description The key set named by If-None-Match is current */
            304: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    get_orgs_org_id_invites: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvite"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_orgs_org_id_invites: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /** @enum {string} */
                    role: "viewer" | "member" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_invites_accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        org: components["schemas"]["Org"];
                    };
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_invites_lookup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteView"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_orgs_org_id_members: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_orgs_org_id_members_user_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_orgs_org_id_members_user_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "member" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_orgs_org_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Org"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_orgs_org_id_invites_invite_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org_id: string;
                invite_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_orgs_org_id_audit: {
        parameters: {
            query?: {
                /** @description Only entries of this user: those with the user as the actor, and those without an actor and with the user as the target, such as failed sign-ins */
                actor?: string;
                /** @description Only entries of this action */
                action?: "auth.signup" | "auth.login" | "auth.login_failed" | "auth.refresh_reuse" | "auth.logout" | "auth.session_end" | "auth.profile_change" | "auth.password_change" | "auth.password_failed" | "auth.reset_request" | "auth.reset_link" | "auth.reset" | "user.delete" | "org.change" | "org.delete" | "member.invite" | "member.invite_delete" | "member.join" | "member.role" | "member.remove" | "workspace.create" | "workspace.change" | "workspace.delete" | "workspace.export" | "prices.change" | "key.mint" | "key.revoke" | "decision.propose" | "decision.move";
                /** @description Start of the window, included. Default: the oldest entry */
                from_time?: string;
                /** @description End of the window, excluded. Default: now */
                to_time?: string;
                /** @description Maximum number of items */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_audit: {
        parameters: {
            query?: {
                /** @description Only entries of this user: those with the user as the actor, and those without an actor and with the user as the target, such as failed sign-ins */
                actor?: string;
                /** @description Only entries of this action */
                action?: "auth.signup" | "auth.login" | "auth.login_failed" | "auth.refresh_reuse" | "auth.logout" | "auth.session_end" | "auth.profile_change" | "auth.password_change" | "auth.password_failed" | "auth.reset_request" | "auth.reset_link" | "auth.reset" | "user.delete" | "org.change" | "org.delete" | "member.invite" | "member.invite_delete" | "member.join" | "member.role" | "member.remove" | "workspace.create" | "workspace.change" | "workspace.delete" | "workspace.export" | "prices.change" | "key.mint" | "key.revoke" | "decision.propose" | "decision.move";
                /** @description Start of the window, included. Default: the oldest entry */
                from_time?: string;
                /** @description End of the window, excluded. Default: now */
                to_time?: string;
                /** @description Maximum number of items */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    org_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_workspaces_workspace_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_workspaces_workspace_id_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /**
                     * @description The content of messages and tool calls that is stored: `full` as sent, `redacted` after redaction, `none` nothing. Applies to events that arrive later
                     * @enum {string}
                     */
                    content_mode?: "none" | "redacted" | "full";
                    /** @description The maximum age of a served result, in seconds, for rules that do not set another */
                    default_freshness_s?: number;
                    /** @description If true, the service moves proposed decisions to shadow; if false, a user must move them */
                    auto_shadow?: boolean;
                    /** @description The share of matched calls that run for real while a rule is active; for rules proposed from now on */
                    holdout_rate?: number;
                    /** @description The share of right results that a rule must surpass; for rules proposed from now on */
                    floor?: number;
                    /** @description The maximum probability that a rule at or below the floor is ever proven; for rules proposed from now on */
                    alpha?: number;
                    /** @description Days for which events, traces, results and findings are kept; null: the retention of the plan. Older data is removed within hours */
                    retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_prices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Names this state of the list, for If-Match of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePrice"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_workspaces_workspace_id_prices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the prices that you read. If the prices have changed since, the response is 412. Without this header, the request replaces the current list */
                "if-match"?: string;
            };
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspacePriceInput"][];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Names this state of the list, for If-Match of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePrice"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed since it was read */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_workspaces_workspace_id_prices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the prices that you read. If the prices have changed since, the response is 412. Without this header, the request replaces the current list */
                "if-match"?: string;
            };
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Changed since it was read */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspace_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspace: components["schemas"]["Workspace"];
                        key: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            key_prefix: string;
                        };
                        plan: string;
                        quota_exceeded: boolean;
                        ingest: {
                            traces_path: string;
                            max_body_bytes: number;
                            encodings: string[];
                        };
                        rules: {
                            version: string;
                            poll_after_s: number;
                        };
                        tool_results: {
                            freshness_s: number;
                            max_ciphertext_bytes: number;
                        };
                        /** Format: date-time */
                        server_time: string;
                    };
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_keys: {
        parameters: {
            query?: {
                workspace_id?: string;
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    workspace_id: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedKey"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_keys_key_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_otlp_v1_traces: {
        parameters: {
            query?: never;
            header?: {
                "Content-Encoding"?: "gzip" | "identity";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Committed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description The body cannot be decoded */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description The workspace API key is missing or not valid */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description The body is larger than 16777216 bytes as sent or 67108864 bytes uncompressed, or has more than 10000 spans */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description The content type or the content encoding is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description Too many requests from this workspace */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description The spans were not acknowledged: send the request again */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    get_apply_rules: {
        parameters: {
            query?: {
                /** @description Seconds to wait for a change of the rules. Default: 0 */
                wait?: number;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active rules, with a strong ETag; gzip if the client accepts it */
            200: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    /** @description Seconds since the rules were known to be current */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rules"];
                };
            };
            /** @description The rules named by If-None-Match are current */
            304: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    /** @description Seconds since the rules were known to be current */
                    Age?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_apply_tool_result: {
        parameters: {
            query: {
                /** @description The rule that the caller matched */
                decision_id: string;
                /** @description Required for a rule of type reuse_identity; other rules do not use it */
                input_hash?: string;
                /** @description The scope that the result must belong to; required for a rule of type suppress_dead */
                scope_hash?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolResult"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_apply_invalidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tool_name: string;
                    /** @description If omitted: of every agent */
                    agent_name?: string | null;
                    /** @description If omitted: of every version of the tool */
                    version?: string | null;
                    /** @description If omitted: of every input */
                    input_hash?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_agents: {
        parameters: {
            query?: {
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_agents_agent_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_stats_summary: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
                /** @description Limits all figures to one agent */
                agent_id?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsSummary"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_stats_timeseries: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
                /** @description auto: the shortest interval that gives at most 300 buckets */
                interval?: "auto" | "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
                time_zone?: string;
                /** @description Limits all figures to one agent */
                agent_id?: string;
                kind?: "llm" | "embedding" | "tool" | "agent" | "chain" | "retriever" | "reranker" | "guardrail" | "evaluator" | "memory" | "other";
                model?: string;
                group_by?: "none" | "model" | "agent" | "tool" | "kind";
                /** @description Number of series that are shown separately: those with the most events, or for models with the highest cost */
                top?: number;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsTimeseries"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_stats_breakdown: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
                group_by?: "agent" | "model" | "tool" | "kind";
                /** @description Limits all figures to one agent */
                agent_id?: string;
                /** @description The order is always descending */
                order_by?: "cost_usd" | "events" | "errors" | "p95_duration_ms";
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsBreakdown"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_stats_savings: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
                /** @description auto: the shortest interval that gives at most 300 buckets */
                interval?: "auto" | "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
                /** @description Limits all figures to one decision */
                decision_id?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Savings"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_stats_instrumentations: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instrumentations"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_traces: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
                agent_id?: string;
                session_id?: string;
                status?: "ok" | "error";
                /** @description Traces that called this model */
                model?: string;
                /** @description Traces that called this tool */
                tool_name?: string;
                min_duration_ms?: number;
                min_cost_usd?: number;
                /** @description Traces with (or without) a tool call that was served */
                served?: boolean;
                /** @description The order is always descending */
                order_by?: "start_time" | "duration_ms" | "cost_usd";
                /** @description Maximum number of items */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracePage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_traces_trace_id: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                trace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceDetail"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_events: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
                agent_id?: string;
                trace_id?: string;
                kind?: "llm" | "embedding" | "tool" | "agent" | "chain" | "retriever" | "reranker" | "guardrail" | "evaluator" | "memory" | "other";
                status?: "ok" | "error";
                model?: string;
                tool_name?: string;
                /** @description Maximum number of items */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_events_tail: {
        parameters: {
            query?: {
                agent_id?: string;
                trace_id?: string;
                kind?: "llm" | "embedding" | "tool" | "agent" | "chain" | "retriever" | "reranker" | "guardrail" | "evaluator" | "memory" | "other";
                status?: "ok" | "error";
                model?: string;
                tool_name?: string;
                cursor?: string;
                /** @description Seconds to wait for events while there are none */
                wait?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTail"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_events_event_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_export: {
        parameters: {
            query?: {
                /** @description Start of the window, included, to the microsecond. Default: one day before its end */
                from_time?: string;
                /** @description End of the window, excluded, to the microsecond. Default: now */
                to_time?: string;
            };
            header?: {
                /** @description The cursor of the last complete line, of the response header, or of the trailer: the export continues behind it. Send it with the same window or with none */
                "x-tracewright-cursor"?: string;
            };
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The cursor of the place where this export begins */
                    "x-tracewright-cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ExportedEvent"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_lookup: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lookup"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_usage: {
        parameters: {
            query?: {
                /** @description A month in UTC. Default: the current one */
                period?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_usage_timeseries: {
        parameters: {
            query?: {
                /** @description A month in UTC. Default: the current one */
                period?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageTimeseries"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_usage_rejections: {
        parameters: {
            query?: {
                /** @description A month in UTC. Default: the current one */
                period?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rejection"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_decisions: {
        parameters: {
            query?: {
                type?: string;
                state?: string;
                agent_id?: string;
                tool_name?: string;
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_workspaces_workspace_id_decisions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "reuse_identity" | "suppress_dead";
                    /** @example search */
                    tool_name: string;
                    /** @description Limits a reuse_identity rule to one input; ignored for suppress_dead, which applies to every input */
                    input_hash?: string | null;
                    /** @description The version that the tool declares; null for a tool that declares none */
                    tool_version?: string | null;
                    /** @description Limits the rule to one agent; null states that the tool is the same for every agent */
                    agent_id?: string | null;
                    config?: ({
                        task_type?: string | null;
                        freshness_s?: number | null;
                        holdout_rate?: number | null;
                        floor?: number | null;
                        alpha?: number | null;
                        min_samples?: number | null;
                        evidence?: {
                            [key: string]: unknown;
                        } | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_decisions_summary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionSummary"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_decisions_decision_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_decisions_decision_id_transitions: {
        parameters: {
            query?: {
                /** @description Which entries come first */
                order?: "oldest" | "newest";
                /** @description Maximum number of items */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionTransition"][];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_workspaces_workspace_id_decisions_decision_id_transitions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    to: "proposed" | "shadow" | "active" | "disabled";
                    reason?: string | null;
                    /** @description Activates a rule that is not proven. It serves results up to config.freshness_s old; held-out calls are still measured */
                    force?: boolean | null;
                    /** @description The request fails with 409 if the decision is not in this state */
                    expected_state?: ("proposed" | "shadow" | "active" | "disabled") | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_decisions_decision_id_measurements: {
        parameters: {
            query?: {
                /** @description Default: both phases */
                phase?: "shadow" | "active";
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionMeasurements"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_decisions_decision_id_trials: {
        parameters: {
            query?: {
                matched?: boolean;
                /** @description Default: both phases */
                phase?: "shadow" | "active";
                /** @description Maximum number of items */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionTrialPage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_findings: {
        parameters: {
            query?: {
                type?: string;
                severity?: "info" | "warning" | "critical";
                status?: "open" | "acknowledged" | "resolved";
                agent_id?: string;
                tool_name?: string;
                /** @description The order is always descending. Findings of equal cost are ordered by severity, highest first */
                order_by?: "last_seen" | "est_monthly_cost_usd";
                /** @description Maximum number of items */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingPage"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The URL and the headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_findings_summary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingSummary"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workspaces_workspace_id_findings_finding_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                finding_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_workspaces_workspace_id_findings_finding_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A workspace that the caller is a member of */
                workspace_id: string;
                finding_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "open" | "acknowledged" | "resolved";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
            /** @description Not authenticated */
            401: {
                headers: {
                    /** @description Always Bearer */
                    "WWW-Authenticate"?: "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The role of the caller does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Temporarily unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openapi_json: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1, with a strong ETag; gzip if the client accepts it */
            200: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The document named by If-None-Match is current */
            304: {
                headers: {
                    /** @description Names these bytes, for If-None-Match */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

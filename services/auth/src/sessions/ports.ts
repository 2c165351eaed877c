/** What the session needs of the OAuth server, given in by the files of src/. */

/** Signs an access token as auth.md 3.2 describes it; `jti`, issuer, audience and times are added. */
export type SignToken = (
  claims: {
    sub: string
    client_id: string
    scope: string
    workspace_id: string
    grant_id: string
    member_rev: number
  },
  o: { lifeSeconds: number },
) => Promise<string>

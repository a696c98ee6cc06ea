// The token of the invite that is open in this tab. It is in the fragment of the link, which no server receives, and from then on only in
// memory: not in the address bar, the history or the URL of the sign-in page.

let held: string | null = null

/** Returns the link to an invite. */
export const inviteLink = (token: string): string =>
  `${location.origin}/invite#${new URLSearchParams({ token }).toString()}`

/** Reads the token from a fragment without its `#`; null if it has none. */
export const readInviteToken = (hash: string): string | null => new URLSearchParams(hash).get('token')

export function holdInviteToken(token: string): void {
  held = token
}

/** Null: no invite was opened since the page was loaded. */
export const heldInviteToken = (): string | null => held

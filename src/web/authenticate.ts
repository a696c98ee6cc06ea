// Identifies the caller by the kind of credential that the route accepts. The roles pass in the functions that check each kind.
import type { Context } from 'koa'
import { readForwardedIp } from '../base/ip.ts'
import type { AuthKind, KeyIdentity, Role, Session, Who } from './route.ts'

export type Authenticator = {
  /** Null: absent, invalid, expired or of the wrong kind. Throws Outage if the credential cannot be checked now. */
  readonly session: (token: string) => Promise<Session | null>
  /** `ip`: the address of the client. */
  readonly key: (token: string, ip: string) => Promise<KeyIdentity | null>
  /** The caller's role in the org of a workspace; null if the workspace is missing, deleted or belongs to another org. */
  readonly role: (userId: string, workspaceId: string) => Promise<Role | null>
}

const no = (): Promise<null> => Promise.resolve(null)

/** Rejects every credential: for a server whose routes are all open. */
export const rejectAll: Authenticator = { session: no, key: no, role: no }

// Real tokens of either kind are far shorter. Longer text never reaches a parser.
const maxTokenCharacters = 4_096

/** Returns the identity, or null for a 401. */
export async function authenticate<A extends AuthKind>(
  authenticator: Authenticator,
  kind: A,
  ctx: Context,
): Promise<Who<A> | null> {
  const token = readBearer(ctx.get('authorization'))
  if (token === null) return null
  const who =
    kind === 'session' ? await authenticator.session(token) : await authenticator.key(token, readClientIp(ctx))
  return who as Who<A> | null
}

/** Returns the client's address, read according to the proxy settings of the server. */
export const readClientIp = (ctx: Context): string => readForwardedIp(ctx.ip)

/** Returns the token of an Authorization header; null if there is none. The scheme is matched in any case (RFC 9110, section 11.1). */
export function readBearer(header: string): string | null {
  const match = /^Bearer +([^\s]+) *$/i.exec(header.length > maxTokenCharacters ? '' : header)
  return match?.[1] ?? null
}

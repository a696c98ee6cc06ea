// Who is calling, by the one kind of credential that the route takes. The roles pass in how each is checked.
import type { Context } from 'koa'
import type { AuthKind, KeyIdentity, Role, Session, Who } from './route.ts'

export type Authenticator = {
  /** Null: absent, invalid, expired or of the wrong kind. Throws Outage where it cannot be known now. */
  readonly session: (token: string) => Promise<Session | null>
  readonly key: (token: string) => Promise<KeyIdentity | null>
  /** The caller's role in the org of a workspace; null where the workspace is missing, deleted or foreign. */
  readonly role: (userId: string, workspaceId: string) => Promise<Role | null>
}

const no = (): Promise<null> => Promise.resolve(null)

/** Lets in no one: for a server whose routes are all open. */
export const nobody: Authenticator = { session: no, key: no, role: no }

// A real token of either kind is far shorter; longer text never reaches a parser.
const maxTokenCharacters = 4_096

/** The identity, or null for a 401. */
export async function authenticate<A extends AuthKind>(
  authenticator: Authenticator,
  kind: A,
  ctx: Context,
): Promise<Who<A> | null> {
  const token = readBearer(ctx.get('authorization'))
  if (token === null) return null
  const who = kind === 'session' ? await authenticator.session(token) : await authenticator.key(token)
  return who as Who<A> | null
}

function readBearer(header: string): string | null {
  const match = /^Bearer +([^\s]+) *$/i.exec(header.length > maxTokenCharacters ? '' : header)
  return match?.[1] ?? null
}

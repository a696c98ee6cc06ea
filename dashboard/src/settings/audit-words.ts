// The audit log in words. Actions that this release does not know are shown by their names.
import type { Schemas } from '../api/client.ts'
import { nameAge, nameClaim } from '../decisions/wording.ts'
import { countOf, formatFraction } from '../format/index.ts'
import type { LinkProps } from '../ui/index.ts'

export type AuditLine = Schemas['AuditLine']

export const auditActions = {
  'auth.signup': 'Signed up',
  'auth.login': 'Signed in',
  'auth.login_failed': 'Failed to sign in',
  'auth.refresh_reuse': 'Reused a session token',
  'auth.logout': 'Signed out',
  'auth.session_end': 'Ended sessions',
  'auth.profile_change': 'Changed their profile',
  'auth.password_change': 'Changed their password',
  'auth.password_failed': 'Gave a wrong current password',
  'auth.reset_request': 'Asked to reset a password',
  'auth.reset_link': 'Made a reset link',
  'auth.reset': 'Reset a password',
  'user.delete': 'Deleted their account',
  'org.change': 'Renamed the organization',
  'org.delete': 'Deleted the organization',
  'member.invite': 'Invited somebody',
  'member.invite_delete': 'Withdrew an invite',
  'member.join': 'Joined',
  'member.role': 'Changed a role',
  'member.remove': 'Removed a member',
  'workspace.create': 'Created a workspace',
  'workspace.change': 'Changed settings',
  'workspace.delete': 'Deleted a workspace',
  'workspace.export': 'Exported events',
  'prices.change': 'Changed prices',
  'key.mint': 'Made a key',
  'key.revoke': 'Revoked a key',
  'decision.propose': 'Proposed a rule',
  'decision.move': 'Changed the state of a rule',
} as const

export type AuditAction = keyof typeof auditActions

const isAction = (text: string): text is AuditAction => Object.hasOwn(auditActions, text)

export const nameAction = (action: string): string => (isAction(action) ? auditActions[action] : action)

/** Returns the actor of a line. A deleted user has no address, and some lines have no user. */
export function nameActor({ actor_email: email, actor_user_id: id }: AuditLine): string {
  if (email !== null) return email
  return id === null ? 'not signed in' : 'a deleted user'
}

/** Returns the name of the target; null if it has none, is gone, or is the person who acted. */
export const nameTarget = ({ target_name: name, actor_email: email }: AuditLine): string | null =>
  name === email ? null : name

/** The page that a link on the target opens; null: no page is about it alone. */
export function linkTarget({
  action,
  workspace_id: workspaceId,
  target,
}: AuditLine): Pick<LinkProps, 'to' | 'params'> | null {
  if (workspaceId === null || target === null) return null
  const params = { workspace_id: workspaceId, decision_id: target }
  if (action.startsWith('decision.')) return { to: '/w/$workspace_id/decisions/$decision_id', params }
  return action.startsWith('key.') ? { to: '/w/$workspace_id/keys', params } : null
}

type Value = string | number | boolean

const causes: Readonly<Record<string, string>> = {
  withdrawn: 'withdrawn',
  replaced: 'a newer invite replaced it',
  inviter_demoted: 'the inviter may no longer invite to this role',
  inviter_removed: 'the inviter left or was removed',
}

/** What the details say. Null: nothing that a reader could use. A detail that is not listed is shown by its name. */
const details: Readonly<Record<string, (value: Value) => string | null>> = {
  left: (value) => (value === true ? 'left by themselves' : null),
  cause: (value) => causes[String(value)] ?? String(value),
  forced: (value) => (value === true ? 'without proof' : null),
  by_link: (value) => (value === true ? 'by a link of an owner' : 'by mail'),
  sessions_ended: (value) => `${countOf(Number(value), 'session')} ended`,
  prices: (value) => `${countOf(Number(value), 'price')} in all`,
  type: (value) => nameClaim(String(value)),
  name: (value) => (value === true ? 'name' : null),
  time_zone: (value) => (value === true ? 'time zone' : null),
  default_freshness_s: (value) => `age limit ${nameAge(Number(value))}`,
  holdout_rate: (value) => `holdout ${formatFraction(Number(value))}`,
  floor: (value) => `floor ${formatFraction(Number(value))}`,
  alpha: (value) => `alpha ${formatFraction(Number(value))}`,
  retention_days: (value) => `retention ${value === 'plan' ? 'of the plan' : countOf(Number(value), 'day')}`,
  invite: () => null,
  revision: () => null,
}

/** Returns the details of a line: `from member to owner`, `floor 99.0 % · auto shadow no`. */
export function listDetail({ detail }: AuditLine): string {
  const { from, to, ...rest } = detail ?? {}
  const others = Object.entries(rest).map(([name, value]) =>
    Object.hasOwn(details, name) ? (details[name]?.(value) ?? null) : `${name.replaceAll('_', ' ')} ${say(value)}`,
  )
  const change = from === undefined || to === undefined ? [] : [`from ${from} to ${to}`]
  return [...change, ...others.filter((one) => one !== null)].join(' · ')
}

const say = (value: Value): string => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value))

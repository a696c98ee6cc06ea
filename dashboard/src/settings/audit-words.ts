// The audit log in words. Actions that this release does not know are shown by their names.
import type { Schemas } from '../api/client.ts'

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
  'decision.move': 'Moved a rule',
} as const

export type AuditAction = keyof typeof auditActions

const isAction = (text: string): text is AuditAction => Object.hasOwn(auditActions, text)

export const nameAction = (action: string): string => (isAction(action) ? auditActions[action] : action)

/** Returns the actor of a line. A deleted user has no address, and some lines have no user. */
export function nameActor({ actor_email: email, actor_user_id: id }: AuditLine): string {
  if (email !== null) return email
  return id === null ? 'nobody signed in' : 'a deleted user'
}

/** Returns the details of a line in the order of the API: `floor 0.99 · auto_shadow false`. */
export const listDetail = ({ detail }: AuditLine): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(' · ')

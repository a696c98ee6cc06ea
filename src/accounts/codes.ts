// The refusals of accounts and orgs, with their statuses and public texts.

import { cursorInvalid } from '../web/page.ts'
import { forbidden, notFound, unauthorized } from '../web/refuse.ts'
import type { ParameterFault, PublicRefusal, RefusalTable } from '../web/route.ts'
import { limited } from '../web/shares.ts'
import type { OrgRoleCode } from './member/org-role.ts'
import type { PasswordCode } from './password/change.ts'
import type { ConfirmCode } from './reset/confirm.ts'
import type { LinkCode } from './reset/link.ts'

const foreignOrigin = {
  foreign_origin: {
    status: 403,
    detail:
      'Only pages of this service may use its session cookie. If this page belongs to the service, its address differs from the public URL of the service: open it at that URL, or set TRACEWRIGHT_PUBLIC_URL to its address',
  },
} as const

/** Unknown, used, withdrawn, replaced and expired tokens, and tokens for another address, get the same answer. */
const inviteNotValid = {
  status: 404,
  detail:
    'The invite is not valid: it has expired, was used, withdrawn or replaced by a newer one, or is for another e-mail address',
} as const

export type SignupCode = 'email_taken' | 'invite_not_found' | 'signup_closed'

export const signupRefusals: RefusalTable<SignupCode | 'limited' | 'foreign_origin'> = {
  limited,
  ...foreignOrigin,
  email_taken: { status: 409, detail: 'This e-mail address is already registered' },
  invite_not_found: inviteNotValid,
  signup_closed: { status: 403, detail: 'Sign-up on this service requires an invite' },
}

export const loginRefusals: RefusalTable<'bad_credentials' | 'limited' | 'foreign_origin'> = {
  limited,
  ...foreignOrigin,
  bad_credentials: { status: 401, detail: 'The e-mail address or the password is wrong' },
}

/** Faults that the schema cannot report, since the body may be missing if a cookie has the token. */
const required = (loc: readonly string[]): ParameterFault => ({
  status: 422,
  item: { loc, msg: 'Field required', type: 'missing' },
})
const bodyFaults = { body_missing: required(['body']), token_missing: required(['body', 'refresh_token']) }

/** Malformed, expired, revoked and reused tokens get the same answer. */
export const refreshRefusals = {
  limited,
  ...foreignOrigin,
  ...bodyFaults,
  bad_refresh_token: { status: 401, detail: 'The refresh token is not valid; sign in again' },
} as const

export const logoutRefusals = { limited, ...foreignOrigin, ...bodyFaults } as const

export const signedOutRefusals: RefusalTable<'signed_out'> = { signed_out: unauthorized.session }

/** In the order of the checks. A foreign org gets the same answer as a missing one. */
export const orgRoleRefusals: RefusalTable<OrgRoleCode> = {
  signed_out: unauthorized.session,
  not_found: notFound,
  forbidden,
}

export const inviteRefusals: RefusalTable<OrgRoleCode | 'too_many_invites' | 'already_member'> = {
  ...orgRoleRefusals,
  too_many_invites: {
    status: 409,
    detail: 'This organization has reached its limit of open invites; withdraw one first',
  },
  already_member: { status: 409, detail: 'This person is already a member of the organization' },
}

export const lookupRefusals: RefusalTable<'not_found'> = { not_found: inviteNotValid }

export const acceptRefusals: RefusalTable<'signed_out' | 'not_found' | 'already_member'> = {
  ...signedOutRefusals,
  not_found: inviteNotValid,
  already_member: { status: 409, detail: 'You are already a member of this organization' },
}

export const roleRefusals: RefusalTable<OrgRoleCode | 'last_owner'> = {
  ...orgRoleRefusals,
  last_owner: {
    status: 409,
    detail: 'An organization must keep at least one owner; make another member an owner first',
  },
}

export const removeRefusals: RefusalTable<OrgRoleCode | 'last_owner' | 'last_member'> = {
  ...roleRefusals,
  last_member: {
    status: 409,
    detail:
      'You are the only member of this organization. To delete the organization and its workspaces, delete your account with DELETE /v1/auth/me',
  },
}

export type DeleteAccountCode = 'signed_out' | 'wrong_password' | 'last_owner'

export const deleteAccountRefusals: RefusalTable<DeleteAccountCode | 'limited'> = {
  limited,
  ...signedOutRefusals,
  wrong_password: { status: 403, detail: 'The current password is wrong' },
  last_owner: {
    status: 409,
    detail:
      'You are the last owner of an organization that has other members; make one of them an owner or remove them first',
  },
}

export const auditRefusals = { ...orgRoleRefusals, cursor_invalid: cursorInvalid } as const
/** Refuses a new password that no schema can check, since it depends on the words of the account. */
const ownWords = (field: string): ParameterFault => ({
  status: 422,
  item: {
    loc: ['body', field],
    msg: 'The password consists mostly of your name, your e-mail address or the name of the service; choose another one',
    type: 'value_error',
  },
})

export const passwordRefusals: Readonly<Record<PasswordCode | 'limited', PublicRefusal | ParameterFault>> = {
  limited,
  signed_out: unauthorized.session,
  wrong_password: { status: 403, detail: 'The current password is wrong' },
  own_words: ownWords('new_password'),
}

export const endSessionRefusals: RefusalTable<'signed_out' | 'not_found'> = {
  signed_out: unauthorized.session,
  not_found: notFound,
}

export const resetRefusals: RefusalTable<'limited'> = { limited }

/** Unknown, used and expired tokens get the same answer. */
export const confirmRefusals: Readonly<Record<ConfirmCode | 'limited', PublicRefusal | ParameterFault>> = {
  limited,
  bad_reset_token: {
    status: 404,
    detail:
      'The reset token is not valid: it has expired, was used or was withdrawn, or the password has changed since it was created',
  },
  own_words: ownWords('password'),
}

export const linkRefusals: RefusalTable<LinkCode> = {
  ...orgRoleRefusals,
  own_account: { status: 409, detail: 'Change your own password with POST /v1/auth/password' },
  other_orgs: {
    status: 409,
    detail:
      'This person also belongs to an organization that you do not own; only they can reset their password, by mail',
  },
}

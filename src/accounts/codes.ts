// Floor 3. The refusals of accounts and orgs, with the status and the sentence that the caller sees.

import { forbidden, notFound, unauthorized } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'

// For the document alone: a limit is thrown as an outage, which knows how long to wait.
const limited = { limited: { status: 429, detail: 'Too many requests' } } as const

export type SignupCode = 'email_taken' | 'invite_not_found'

export const signupRefusals: RefusalTable<SignupCode | 'limited'> = {
  ...limited,
  email_taken: { status: 409, detail: 'This e-mail address is already registered' },
  invite_not_found: notFound,
}

export const loginRefusals: RefusalTable<'bad_credentials' | 'limited'> = {
  ...limited,
  bad_credentials: { status: 401, detail: 'The e-mail address or the password is wrong' },
}

/** Junk, expired, revoked and reused read the same. */
export const refreshRefusals: RefusalTable<'bad_refresh_token' | 'limited'> = {
  ...limited,
  bad_refresh_token: { status: 401, detail: 'The refresh token is not valid; sign in again' },
}

export const logoutRefusals: RefusalTable<'limited'> = limited

export const signedOutRefusals: RefusalTable<'signed_out'> = { signed_out: unauthorized }

export type StandingCode = 'signed_out' | 'not_found' | 'forbidden'

/** In the order of the checks. Foreign and missing read the same. */
export const standingRefusals: RefusalTable<StandingCode> = {
  signed_out: unauthorized,
  not_found: notFound,
  forbidden,
}

export const inviteRefusals: RefusalTable<StandingCode | 'too_many_invites' | 'already_member'> = {
  ...standingRefusals,
  too_many_invites: {
    status: 409,
    detail: 'This organization has too many open invites; wait until some are accepted or expire',
  },
  already_member: { status: 409, detail: 'This person is already a member of the organization' },
}

export const acceptRefusals: RefusalTable<'signed_out' | 'not_found' | 'already_member'> = {
  ...signedOutRefusals,
  not_found: notFound,
  already_member: { status: 409, detail: 'You are already a member of this organization' },
}

export const removeRefusals: RefusalTable<StandingCode | 'last_owner'> = {
  ...standingRefusals,
  last_owner: { status: 409, detail: 'An organization must keep at least one owner' },
}

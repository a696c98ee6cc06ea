// Request and response schemas of accounts: addresses, passwords, tokens, users and orgs.
import { z } from 'zod'
import { roles } from '../web/route.ts'
import { dateTimeOut, ifValid, pairFault, trimmedText, uuid, uuidOut } from '../web/shapes.ts'
import { timeZoneParam } from '../web/time-zone.ts'
import { maxAddressCharacters, readEmailAddress } from './address/email-address.ts'
import type { Member } from './member/list.ts'
import type { Org } from './org.ts'
import { findPasswordFault } from './password/check.ts'
import { sessionHeader } from './session/carrier.ts'
import type { User } from './user.ts'

/** An address to look up. One that no new account can have is accepted too, and reads like any other address without an account. */
const email = z
  .string()
  .max(maxAddressCharacters)
  .transform((text, ctx) => {
    const address = readEmailAddress(text)
    if (address !== null) return address
    ctx.addIssue({ code: 'custom', message: 'value is not a valid email address', params: { type: 'value_error' } })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'email', maxLength: maxAddressCharacters })

/** An address that will be stored. */
const newEmail = email
  .superRefine((address, ctx) => {
    if (!address.isLookalike && address.hasValidLabels) return
    const reason = address.isLookalike
      ? 'it mixes letters of several scripts, or contains invisible or confusable characters'
      : 'each label of its domain must have 1 to 63 characters'
    const message = `value is not a valid email address: ${reason}`
    ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
  })
  .meta({ type: 'string', format: 'email', maxLength: maxAddressCharacters })

const minPasswordCharacters = 12
const maxPasswordCharacters = 128

/** Refuses passwords that are easy to guess for any user. The person's own words are checked where they are known. */
function checkGuessable(password: string, ctx: z.RefinementCtx): void {
  const fault = findPasswordFault(password, { email: '', words: [] })
  if (fault !== null) ctx.addIssue({ code: 'custom', message: fault, params: { type: 'value_error' } })
}

const newPassword = z
  .string()
  .min(minPasswordCharacters)
  .max(maxPasswordCharacters)
  .superRefine(checkGuessable, ifValid)
  .meta({ minLength: minPasswordCharacters, maxLength: maxPasswordCharacters })

const deviceToken = z.string().max(1_000)
const refreshToken = z.string().max(1_000)
const inviteToken = z.string().max(1_000)
const role = z.enum(roles)

export const signupBody = z
  .object({
    email: newEmail,
    password: z.string().min(minPasswordCharacters).max(maxPasswordCharacters),
    name: trimmedText(1, 100).nullish(),
    org_name: trimmedText(1, 100).nullish(),
    invite_token: inviteToken.nullish(),
  })
  .superRefine((body, ctx) => {
    const fault = findPasswordFault(body.password, {
      email: body.email.canonical,
      words: [body.name ?? undefined, body.org_name ?? undefined],
    })
    if (fault !== null) ctx.addIssue(pairFault('password', 'value_error', fault))
  }, ifValid)

// No minimum: what is too short for a new password is simply wrong here.
export const loginBody = z.object({
  email,
  password: z.string().max(maxPasswordCharacters),
  device_token: deviceToken.nullish(),
})
/** The body and the token may be missing if the token is in a cookie; otherwise `codes.ts` refuses like the schema would. */
export const refreshBody = z.object({ refresh_token: refreshToken.optional() }).optional()
export const sessionHeaders = z.object({
  [sessionHeader]: z.literal('cookie').optional().meta({
    description:
      'For web pages of the service: the refresh token is only in the cookie `__Host-tw_refresh`, which scripts cannot read',
  }),
})
export const inviteTokenBody = z.object({ token: inviteToken })
export const inviteBody = z.object({ email: newEmail, role })
export const profileBody = z.object({
  name: trimmedText(1, 100).nullable().optional(),
  time_zone: timeZoneParam.nullable().optional(),
})
export const passwordBody = z.object({
  current_password: z.string().max(maxPasswordCharacters),
  new_password: newPassword,
})
export const resetBody = z.object({ email })
export const confirmBody = z.object({ token: z.string().max(1_000), password: newPassword })

const userOut = z
  .object({
    id: uuidOut,
    email: z.string(),
    name: z.string().nullable(),
    time_zone: z.string().nullable(),
    created_at: dateTimeOut,
  })
  .meta({ id: 'User' })
export const orgOut = z.object({ id: uuidOut, name: z.string(), role }).meta({ id: 'Org' })

const tokenFields = {
  access_token: z.string(),
  refresh_token: z.string().optional().meta({ description: 'Absent if the token is in a cookie' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
}
export const tokenPairOut = z.object(tokenFields).meta({ id: 'Tokens' })
const deviceField = { device_token: z.string() }
export const signupOut = z.object({ user: userOut, org: orgOut, ...tokenFields, ...deviceField })
export const loginOut = z.object({ user: userOut, ...tokenFields, ...deviceField })
export const meOut = z.object({ user: userOut, orgs: z.array(orgOut) })

export const inviteOut = z
  .object({ id: uuidOut, email: z.string(), role, token: z.string(), expires_at: dateTimeOut })
  .meta({ id: 'Invite' })
export const inviteViewOut = z
  .object({
    org_name: z.string(),
    role,
    invited_by: z.string().meta({ description: 'The name of the person who invited, or else their address' }),
    expires_at: dateTimeOut,
  })
  .meta({ id: 'InviteView' })
export const memberOut = z
  .object({ user_id: uuidOut, email: z.string(), name: z.string().nullable(), role, created_at: dateTimeOut })
  .meta({ id: 'Member' })

export const sessionOut = z
  .object({
    id: uuidOut,
    created_at: dateTimeOut,
    last_used_at: dateTimeOut,
    user_agent: z.string().nullable(),
    ip_prefix: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' })
export const resetLinkOut = z
  .object({ url: z.string(), token: z.string(), expires_at: dateTimeOut })
  .meta({ id: 'ResetLink' })

export const sessionParams = z.object({ session_id: uuid })
export const orgParams = z.object({ org_id: uuid })
export const memberParams = z.object({ org_id: uuid, user_id: uuid })

export const showUser = ({ id, email, name, timeZone, createdAt }: User) => ({
  id,
  email,
  name,
  time_zone: timeZone,
  created_at: createdAt.toISOString(),
})

export const showMember = ({ userId, email, name, role, createdAt }: Member) => ({
  user_id: userId,
  email,
  name,
  role,
  created_at: createdAt.toISOString(),
})

export const showOrg = ({ id, name, role }: Org) => ({ id, name, role })

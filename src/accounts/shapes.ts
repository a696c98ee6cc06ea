// Floor 3. What people send and get on the wire: addresses, passwords, token pairs, users and orgs.
import { z } from 'zod'
import { roles } from '../web/route.ts'
import { dateTimeOut, pairFault, trimmedText, uuid, uuidOut } from '../web/shapes.ts'
import { findPasswordFault } from './password/check.ts'
import type { TokenPair } from './session/start.ts'
import type { Org, User } from './signup.ts'

const emailPattern = /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u

/** Lower-cased: one mailbox is one account. */
const email = z
  .string()
  .max(254)
  .transform((text, ctx) => {
    if (text.isWellFormed() && emailPattern.test(text)) return text.toLowerCase()
    ctx.addIssue({ code: 'custom', message: 'value is not a valid email address', params: { type: 'value_error' } })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'email', maxLength: 254 })

const minPasswordCharacters = 12
const maxPasswordCharacters = 128

const refreshToken = z.string().max(1_000)
const inviteToken = z.string().max(1_000)
const role = z.enum(roles)

export const signupBody = z
  .object({
    email,
    password: z.string().min(minPasswordCharacters).max(maxPasswordCharacters),
    name: trimmedText(1, 100).nullish(),
    org_name: trimmedText(1, 100).nullish(),
    invite_token: inviteToken.nullish(),
  })
  .superRefine((body, ctx) => {
    const { length } = body.password
    // Told already, as what it is.
    if (length < minPasswordCharacters || length > maxPasswordCharacters) return
    const fault = findPasswordFault(body.password, {
      email: body.email,
      words: [body.name ?? undefined, body.org_name ?? undefined],
    })
    if (fault !== null) ctx.addIssue(pairFault('password', 'value_error', fault))
  })

// No minimum: what is too short for a new password is simply wrong here.
export const loginBody = z.object({ email, password: z.string().max(maxPasswordCharacters) })
export const refreshBody = z.object({ refresh_token: refreshToken })
export const acceptBody = z.object({ token: inviteToken })
export const inviteBody = z.object({ email, role })

const userOut = z
  .object({ id: uuidOut, email: z.string(), name: z.string().nullable(), created_at: dateTimeOut })
  .meta({ id: 'User' })
export const orgOut = z.object({ id: uuidOut, name: z.string(), role }).meta({ id: 'Org' })

const tokenFields = {
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
}
export const tokensOut = z.object(tokenFields).meta({ id: 'Tokens' })
export const signupOut = z.object({ user: userOut, org: orgOut, ...tokenFields })
export const loginOut = z.object({ user: userOut, ...tokenFields })
export const meOut = z.object({ user: userOut, orgs: z.array(orgOut) })

export const inviteOut = z
  .object({ id: uuidOut, email: z.string(), role, token: z.string(), expires_at: dateTimeOut })
  .meta({ id: 'Invite' })
export const memberOut = z
  .object({ user_id: uuidOut, email: z.string(), name: z.string().nullable(), role, created_at: dateTimeOut })
  .meta({ id: 'Member' })

export const orgParams = z.object({ org_id: uuid })
export const memberParams = z.object({ org_id: uuid, user_id: uuid })

export const showUser = ({ id, email, name, createdAt }: User) => ({
  id,
  email,
  name,
  created_at: createdAt.toISOString(),
})

export const showOrg = ({ id, name, role }: Org) => ({ id, name, role })

export const showTokens = ({ accessToken, refreshToken, expiresInS }: TokenPair) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: 'Bearer' as const,
  expires_in: expiresInS,
})

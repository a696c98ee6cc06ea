// The access token: an ES256 JWT that identifies the user and the session, and contains no memberships.
import { randomUUID, type webcrypto } from 'node:crypto'
import * as errors from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { isUuid } from '../../base/ids.ts'
import type { Session } from '../../web/route.ts'
import type { Keyring } from '../signing/keyring.ts'
import { makeVerifiedTokens } from './verified-tokens.ts'

export const accessTokenS = 600
const clockToleranceS = 5

export type AccessTokens = {
  readonly sign: (session: Session) => Promise<string>
  /** Returns null for every token that is not ours, intact and unexpired. No query, unless the key id is unknown. */
  readonly verify: (token: string) => Promise<Session | null>
}

type Deps = { readonly keyring: Keyring; readonly issuer: string; readonly audience: string; readonly now: () => Date }

/** Algorithm, issuer, audience, type and claims are fixed here; the header of a token only chooses among our keys. */
export function makeAccessTokens({ keyring, issuer, audience, now }: Deps): AccessTokens {
  const verified = makeVerifiedTokens()
  return {
    sign: async ({ userId, sessionId }) => {
      const { kid, privateKey } = keyring.signer()
      const issuedAtS = Math.floor(now().getTime() / 1_000)
      return await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAtS)
        .setExpirationTime(issuedAtS + accessTokenS)
        .sign(privateKey)
    },
    verify: async (token) => {
      const known = verified.find(token)
      // The key may have been retired in the meantime.
      if (known !== null && now().getTime() < known.expiresAtMs && (await keyring.find(known.kid)) === known.key) {
        return known.session
      }
      try {
        const { payload, key, protectedHeader } = await jwtVerify(
          token,
          async ({ kid }) => await findKey(keyring, kid),
          {
            algorithms: ['ES256'],
            issuer,
            audience,
            typ: 'at+jwt',
            requiredClaims: ['exp', 'iat', 'sub', 'sid'],
            clockTolerance: clockToleranceS,
            currentDate: now(),
          },
        )
        const { sub: userId, sid: sessionId, exp = 0 } = payload
        if (userId === undefined || typeof sessionId !== 'string') return null
        if (!isUuid(userId) || !isUuid(sessionId)) return null
        const session = { userId, sessionId }
        const { kid } = protectedHeader
        if (kid !== undefined) verified.add(token, { session, kid, key, expiresAtMs: (exp + clockToleranceS) * 1_000 })
        return session
      } catch (error) {
        // jose reports every fault of a token as a JOSEError; any other error is a bug or an outage.
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}

async function findKey(keyring: Keyring, kid: string | undefined): Promise<webcrypto.CryptoKey> {
  const key = kid === undefined ? null : await keyring.find(kid)
  if (key === null) throw new errors.JWKSNoMatchingKey()
  return key
}

// The access token: an ES256 JWT that says who and which session, and nothing about memberships.
import { randomUUID, type webcrypto } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { isUuid } from '../../base/ids.ts'
import type { Session } from '../../web/route.ts'
import type { Keyring } from '../signing/keyring.ts'
import { makeVerifiedTokens } from './verified-tokens.ts'

export const accessTokenS = 600
const clockToleranceS = 5

export type AccessTokens = {
  readonly sign: (session: Session) => Promise<string>
  /** Null for every token that is not ours, whole and live. No query, unless the key id is unknown. */
  readonly verify: (token: string) => Promise<Session | null>
}

type Deps = { readonly keyring: Keyring; readonly issuer: string; readonly audience: string; readonly now: () => Date }

/** Algorithm, issuer, audience, type and claims are pinned here; a token's own header chooses nothing but among our keys. */
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
      // The key may have been retired since.
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
        // jose names everything that is wrong with a token; anything else is ours.
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

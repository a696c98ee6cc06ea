// Caches access tokens with a verified signature: the same bytes need no second verification while their key stays the same.
import { hash, type webcrypto } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Session } from '../../web/route.ts'

export type VerifiedToken = {
  readonly session: Session
  readonly kid: string
  /** The key that verified the token. */
  readonly key: webcrypto.CryptoKey
  readonly expiresAtMs: number
}

export type VerifiedTokens = {
  find(token: string): VerifiedToken | null
  add(token: string, verified: VerifiedToken): void
}

// About 500 bytes each.
const maxTokens = 4_000

/** Stores only hashes, not the tokens themselves. */
export function makeVerifiedTokens(): VerifiedTokens {
  const byHash = new LRUCache<string, VerifiedToken>({ max: maxTokens })
  const hashOf = (token: string): string => hash('sha256', token, 'base64')
  return {
    find: (token) => byHash.get(hashOf(token)) ?? null,
    add: (token, verified) => byHash.set(hashOf(token), verified),
  }
}

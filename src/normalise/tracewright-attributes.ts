// Reads and validates the attributes of our own namespace, tracewright.*.
import { isUuid } from '../base/ids.ts'
import { type EncryptedResult, maxCiphertextBytes } from '../event/event.ts'
import type { Flag } from '../event/flag.ts'
import type { Names } from '../event/names.ts'
import type { Attributes, AttributeValue } from '../event/span.ts'
import { asText, bounded, first, isTrue, maxNameChars } from './attribute.ts'
import { tracewrightNames } from './dialects/tracewright.ts'
import { parseStructure } from './json.ts'
import type { Reading } from './reading.ts'

/** The most characters of a hash, a key id or a version. */
export const maxHashChars = 128
export const hashForm = /^[A-Za-z0-9:_-]{1,128}$/
const maxToolCallIds = 1_000
const ivBytes = 12
const tagBytes = 16

export type OwnTool = {
  /** The hash that the sender gives; null where it is absent or malformed. */
  readonly inputHash: string | null
  readonly contentHash: string | null
  /** The version that the tool declares; null where it declares none. */
  readonly version: string | null
  /** The hash of the scope that the result belongs to; null where the tool has no scope. */
  readonly scopeHash: string | null
  /** The sender attests that the same input gives the same result. */
  readonly attested: boolean
  /** The sender attests that nothing depends on the content of the result. */
  readonly attestedUnread: boolean
  readonly served: boolean
  readonly holdout: boolean
  /** The result differs from the one that a rule would have served in its place. */
  readonly changed: boolean
  readonly decisionId: string | null
  /** Null where nothing is attested. */
  readonly encrypted: EncryptedResult | null
}

export const noOwnTool: OwnTool = {
  inputHash: null,
  contentHash: null,
  version: null,
  scopeHash: null,
  attested: false,
  attestedUnread: false,
  served: false,
  holdout: false,
  changed: false,
  decisionId: null,
  encrypted: null,
}

/** Returns bytes as they are, or the bytes of a base64 text; null for more than `maxBytes` bytes and for any other value. */
function bytesOf(value: AttributeValue | undefined, maxBytes: number): Uint8Array | null {
  if (value instanceof Uint8Array) return value.length > maxBytes ? null : value
  if (typeof value !== 'string' || value.length > Math.ceil(maxBytes / 3) * 4) return null
  const unpadded = value.endsWith('==') ? value.length - 2 : value.endsWith('=') ? value.length - 1 : value.length
  const bytes = Buffer.from(value, 'base64')
  // The decoder skips characters that are not base64, so that only a text without such characters gives this length.
  return unpadded % 4 !== 1 && bytes.length === Math.floor((unpadded * 3) / 4) ? bytes : null
}

function readEncrypted(attributes: Attributes, flags: Set<Flag>): EncryptedResult | null {
  const given = tracewrightNames.encrypted.map((names) => first(attributes, names))
  if (given.every((part) => part === undefined || part === null)) return null
  const ciphertext = bytesOf(given[0], maxCiphertextBytes)
  const iv = bytesOf(given[1], ivBytes)
  const tag = bytesOf(given[2], tagBytes)
  const keyId = given[3]
  if (
    ciphertext === null ||
    iv?.length !== ivBytes ||
    tag?.length !== tagBytes ||
    typeof keyId !== 'string' ||
    keyId === '' ||
    keyId.length > maxHashChars
  ) {
    flags.add('payload_invalid')
    return null
  }
  return { ciphertext, iv, tag, keyId }
}

type Claims = { readonly attested: boolean; readonly attestedUnread: boolean }

const noClaims: Claims = { attested: false, attestedUnread: false }

/**
 * Returns which claims the sender attests. A sender that attests without a list of claims makes only the first one, `same_input`. None
 * counts if the clock of the sender is ahead: the result would seem younger than it is, and newer than an invalidation that came after it.
 */
function readClaims(attributes: Attributes, flags: Set<Flag>): Claims {
  if (flags.has('clock_ahead') || !isTrue(first(attributes, tracewrightNames.attested))) return noClaims
  const given = first(attributes, tracewrightNames.claims)
  if (given === undefined || given === null) return { attested: true, attestedUnread: false }
  const listed = typeof given === 'string' ? (parseStructure(given, flags) ?? [given]) : given
  const claims: readonly unknown[] = Array.isArray(listed) ? listed : []
  return { attested: claims.includes('same_input'), attestedUnread: claims.includes('unread') }
}

/** Returns null where the version is absent or empty, undefined where it is malformed. */
function readVersion(attributes: Attributes): string | null | undefined {
  const version = first(attributes, tracewrightNames.version)
  if (version === undefined || version === null || version === '') return null
  return typeof version === 'string' && version.length <= maxHashChars ? version : undefined
}

const readHash = (value: AttributeValue | undefined): string | null =>
  typeof value === 'string' && hashForm.test(value) ? value : null

/** Returns what our SDK reports of a tool call. An incomplete or malformed payload is dropped as a whole and sets `payload_invalid`. */
export function readOwnTool({ attributes, flags }: Reading): OwnTool {
  const contentHash = first(attributes, tracewrightNames.contentHash)
  const decisionId = first(attributes, tracewrightNames.decision)
  const version = readVersion(attributes)
  // Without its version, the result could be served to callers of another version of the tool.
  if (version === undefined) flags.add('payload_invalid')
  const { attested, attestedUnread } = version === undefined ? noClaims : readClaims(attributes, flags)
  return {
    inputHash: readHash(first(attributes, tracewrightNames.inputHash)),
    contentHash:
      typeof contentHash === 'string' && contentHash !== '' && contentHash.length <= maxHashChars ? contentHash : null,
    version: version ?? null,
    scopeHash: readHash(first(attributes, tracewrightNames.scopeHash)),
    attested,
    attestedUnread,
    served: isTrue(first(attributes, tracewrightNames.served)),
    holdout: isTrue(first(attributes, tracewrightNames.holdout)),
    changed: isTrue(first(attributes, tracewrightNames.changed)),
    decisionId: typeof decisionId === 'string' && isUuid(decisionId) ? decisionId.toLowerCase() : null,
    encrypted: attested || attestedUnread ? readEncrypted(attributes, flags) : null,
  }
}

/** Returns the distinct tool call ids in an attribute that holds a list or its JSON text. At most 1,000; more set `truncated`. */
export function readToolCallIds(attributes: Attributes, names: Names, flags: Set<Flag>): readonly string[] {
  const value = first(attributes, names)
  if (value === undefined || value === null) return []
  const listed = typeof value === 'string' ? parseStructure(value, flags) : value
  if (!Array.isArray(listed)) return []
  const ids = new Set<string>()
  for (const item of listed as AttributeValue[]) {
    const id = asText(item)
    if (id === null) continue
    if (ids.size >= maxToolCallIds) {
      flags.add('truncated')
      break
    }
    ids.add(bounded(id, maxNameChars, flags))
  }
  return [...ids]
}

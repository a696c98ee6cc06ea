// Floor 1. The attributes of our own namespace, tracewright.*, checked before anything may rely on them.
import { isUuid } from '../../base/ids.ts'
import type { EncryptedResult } from '../event.ts'
import { anyOf, type Names } from '../names.ts'
import type { Attributes, AttributeValue, Flag } from '../span.ts'
import { asText, bounded, first, isTrue, maxNameChars } from './attribute.ts'
import { parseStructure } from './json.ts'
import type { Reading } from './reading.ts'

const maxHashChars = 128
const inputHashForm = /^[A-Za-z0-9:_-]{1,128}$/
const maxToolCallIds = 1_000
const inputHashNames = anyOf('tracewright.tool.input_hash')
const contentHashNames = anyOf('tracewright.tool.content_hash')
const decisionNames = anyOf('tracewright.decision_id')
const attestedNames = anyOf('tracewright.tool.attested')
const servedNames = anyOf('tracewright.tool.served')
const holdoutNames = anyOf('tracewright.holdout')
const encryptedNames = ['ciphertext', 'iv', 'tag', 'key_id'].map((part) => anyOf(`tracewright.tool.${part}`))
export const consumedNames = anyOf('tracewright.consumed_tool_call_ids')
export const readNames = anyOf('tracewright.read_tool_call_ids')
const ivBytes = 12
const tagBytes = 16

/** Bytes of a stored tool result's ciphertext, where the caller names no other limit. */
export const defaultMaxCiphertextBytes = 256 * 1_024

export type OwnTool = {
  /** As the sender gave it, of the allowed form; null where absent or malformed. */
  readonly inputHash: string | null
  readonly contentHash: string | null
  readonly attested: boolean
  readonly served: boolean
  readonly holdout: boolean
  readonly decisionId: string | null
  readonly encrypted: EncryptedResult | null
}

export const noOwnTool: OwnTool = {
  inputHash: null,
  contentHash: null,
  attested: false,
  served: false,
  holdout: false,
  decisionId: null,
  encrypted: null,
}

/** Bytes as they are, or out of base64 text of at most `maxBytes`. */
function bytesOf(value: AttributeValue | undefined, maxBytes: number): Uint8Array | null {
  if (value instanceof Uint8Array) return value.length > maxBytes ? null : value
  if (typeof value !== 'string' || value.length > Math.ceil(maxBytes / 3) * 4) return null
  const unpadded = value.endsWith('==') ? value.length - 2 : value.endsWith('=') ? value.length - 1 : value.length
  const bytes = Buffer.from(value, 'base64')
  // The decoder leaves out what is no base64, so that only whole text gives this length.
  return unpadded % 4 !== 1 && bytes.length === Math.floor((unpadded * 3) / 4) ? bytes : null
}

function readEncrypted(attributes: Attributes, maxCiphertextBytes: number, flags: Set<Flag>): EncryptedResult | null {
  const given = encryptedNames.map((names) => first(attributes, names))
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

/** What our SDK says of a tool call. An incomplete or malformed payload is dropped whole with flag `payload_invalid`. */
export function readOwnTool({ attributes, flags }: Reading, maxCiphertextBytes: number): OwnTool {
  const inputHash = first(attributes, inputHashNames)
  const contentHash = first(attributes, contentHashNames)
  const decisionId = first(attributes, decisionNames)
  return {
    inputHash: typeof inputHash === 'string' && inputHashForm.test(inputHash) ? inputHash : null,
    contentHash:
      typeof contentHash === 'string' && contentHash !== '' && contentHash.length <= maxHashChars ? contentHash : null,
    attested: isTrue(first(attributes, attestedNames)),
    served: isTrue(first(attributes, servedNames)),
    holdout: isTrue(first(attributes, holdoutNames)),
    decisionId: typeof decisionId === 'string' && isUuid(decisionId) ? decisionId.toLowerCase() : null,
    encrypted: readEncrypted(attributes, maxCiphertextBytes, flags),
  }
}

/** The distinct tool call ids that an attribute lists, as a list or as JSON text; at most 1,000, else `truncated`. */
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

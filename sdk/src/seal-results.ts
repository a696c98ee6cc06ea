// SDK. Encrypts the results of attested tools, after the agent has received them, and attaches them to the spans of the calls.
import type { Span } from '@opentelemetry/api'
import type { KeyRing, Sealed } from './key-ring.ts'
import type { Hasher } from './keyed-hash.ts'
import type { Unwritten } from './result-codec.ts'

/** A result that may be stored: its plaintext with the header, and the text that its content hash is computed from. */
export type Storable = { readonly tool: string; readonly plain: Uint8Array; readonly content: string }

export type Attachment = Storable | Unwritten

/** Why a result is not stored. */
export type Unstored = Unwritten | 'busy'

export type SealDeps = {
  readonly keys: Pick<KeyRing, 'seal'>
  readonly hasher: Hasher
  readonly onUnstored: (why: Unstored) => void
}

export type Sealing = {
  /** Ends the span. If there is a result to attach, the span ends after the encryption and carries the encrypted result. */
  readonly endWith: (span: Span, endMs: number, attachment: Attachment | null) => void
  /** Resolves when every result that is being encrypted is attached. */
  readonly idle: () => Promise<void>
}

/** In the place of a content hash. */
const unstorable = 'unstorable'
const maxWaiting = { results: 1_000, bytes: 16_777_216 }

export function openSealing({ keys, hasher, onUnstored }: SealDeps): Sealing {
  const waiting = new Set<Promise<void>>()
  let waitingBytes = 0

  const isBusy = (): boolean => waiting.size >= maxWaiting.results || waitingBytes >= maxWaiting.bytes

  async function seal(span: Span, plain: Uint8Array, contentHash: string): Promise<void> {
    // Starting the encryption is the most expensive step, so it waits until the agent has its result.
    await new Promise((turn) => setImmediate(turn))
    attach(span, await keys.seal(plain, contentHash))
  }

  /** The service has to know that the result differs from every stored one: to a rule, such a call is one that it gets wrong. */
  function endUnstorable(span: Span, endMs: number, why: Unwritten): void {
    onUnstored(why)
    span.setAttribute('tracewright.tool.content_hash', unstorable)
    span.end(endMs)
  }

  return {
    endWith(span, endMs, attachment) {
      if (attachment === null) return span.end(endMs)
      if (typeof attachment === 'string') return endUnstorable(span, endMs, attachment)
      if (isBusy()) {
        onUnstored('busy')
        return span.end(endMs)
      }
      const { tool, plain, content } = attachment
      const sealing = seal(span, plain, hasher.ofContent(tool, content))
        .catch(() => onUnstored('failed'))
        .finally(() => {
          span.end(endMs)
          waiting.delete(sealing)
          waitingBytes -= plain.length
        })
      waiting.add(sealing)
      waitingBytes += plain.length
    },
    async idle() {
      await Promise.all(waiting)
    },
  }
}

function attach(span: Span, { keyId, contentHash, ciphertext, iv, tag }: Sealed): void {
  span.setAttribute('tracewright.tool.content_hash', contentHash)
  span.setAttribute('tracewright.tool.key_id', keyId)
  span.setAttribute('tracewright.tool.ciphertext', ciphertext)
  span.setAttribute('tracewright.tool.iv', iv)
  span.setAttribute('tracewright.tool.tag', tag)
}

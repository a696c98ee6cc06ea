// SDK. Encrypts what attested tools gave back, after the agent has it, and ends their spans with it.
import type { Span } from '@opentelemetry/api'
import { canonicalText } from './canonical-json.ts'
import type { KeyRing, Sealed } from './key-ring.ts'
import type { Hasher, KeyedHash } from './keyed-hash.ts'
import { type ResultForm, writePlainResult } from './sealed-result.ts'

export type Attachment = {
  readonly tool: string
  readonly inputHash: KeyedHash | null
  readonly endMs: number
  readonly result: unknown
  readonly redact: ((result: never) => unknown) | undefined
  readonly encode: ((result: never) => string) | undefined
}

/** Why a result is not stored. */
export type Unstored = 'no_json_value' | 'too_large' | 'busy' | 'failed'

export type SealDeps = {
  readonly keys: Pick<KeyRing, 'seal'>
  readonly hasher: Hasher
  /** Of the plaintext, with its header. */
  readonly maxResultBytes: number
  readonly onUnstored: (why: Unstored) => void
}

export type Sealing = {
  /** Reads the result before it returns, since the agent may change it; encrypts it later, and ends the span then. */
  readonly endWith: (span: Span, endMs: number, attachment: Attachment | null) => void
  /** Resolves when all that is being encrypted is attached. */
  readonly idle: () => Promise<void>
}

const maxWaiting = { results: 1_000, bytes: 16_777_216 }

export function openSealing({ keys, hasher, maxResultBytes, onUnstored }: SealDeps): Sealing {
  const waiting = new Set<Promise<void>>()
  let waitingBytes = 0

  /** The text to store, and the text that its content hash is of. */
  function read({
    result,
    redact,
    encode,
  }: Attachment): { form: ResultForm; text: string; content: string } | Unstored {
    let given = result
    if (redact !== undefined) {
      // It gets a copy, so that it cannot change what the agent gets.
      const text = encode === undefined ? jsonOf(given, maxResultBytes) : null
      if (text === null && encode === undefined) return 'no_json_value'
      given = redact((text === null ? structuredClone(given) : JSON.parse(text)) as never)
    }
    if (encode !== undefined) {
      const text = encode(given as never)
      return { form: 'text', text, content: text }
    }
    const content = canonicalText(given, maxResultBytes)
    // As the tool wrote it: an llm that is shown a served result gets the same keys in the same order.
    return content === null ? 'no_json_value' : { form: 'json', text: JSON.stringify(given), content }
  }

  const isBusy = (): boolean => waiting.size >= maxWaiting.results || waitingBytes >= maxWaiting.bytes

  async function seal(span: Span, plain: Uint8Array, contentHash: string): Promise<void> {
    // Starting it costs more than all the rest, and the agent waits for its result.
    await new Promise((turn) => setImmediate(turn))
    attach(span, await keys.seal(plain, contentHash))
  }

  return {
    endWith(span, endMs, attachment) {
      if (attachment === null) return span.end(endMs)
      try {
        const { tool, inputHash } = attachment
        const taken = isBusy() ? 'busy' : read(attachment)
        if (typeof taken === 'string') {
          onUnstored(taken)
          return span.end(endMs)
        }
        const plain = writePlainResult({ header: { tool, inputHash, endMs, form: taken.form }, text: taken.text })
        if (plain.length > maxResultBytes) {
          onUnstored('too_large')
          return span.end(endMs)
        }
        const sealing = seal(span, plain, hasher.ofContent(tool, taken.content))
          .catch(() => onUnstored('failed'))
          .finally(() => {
            span.end(endMs)
            waiting.delete(sealing)
            waitingBytes -= plain.length
          })
        waiting.add(sealing)
        waitingBytes += plain.length
      } catch {
        // What redact or encode threw may hold what they were given, and says no more than this.
        onUnstored('failed')
        span.end(endMs)
      }
    },
    async idle() {
      await Promise.all(waiting)
    },
  }
}

function jsonOf(value: unknown, maxChars: number): string | null {
  return canonicalText(value, maxChars) === null ? null : JSON.stringify(value)
}

function attach(span: Span, { keyId, contentHash, ciphertext, iv, tag }: Sealed): void {
  span.setAttribute('tracewright.tool.content_hash', contentHash)
  span.setAttribute('tracewright.tool.key_id', keyId)
  span.setAttribute('tracewright.tool.ciphertext', ciphertext)
  span.setAttribute('tracewright.tool.iv', iv)
  span.setAttribute('tracewright.tool.tag', tag)
}

// SDK. A tool's result as text and back, and the part of it that counts as its content.
import { canonicalForm, canonicalText, type Unfit } from './canonical-json.ts'
import type { ResultText } from './sealed-result.ts'

export type CodecOptions<Output> = {
  readonly redact: ((result: Output) => Output) | undefined
  readonly equals: ((result: Output) => unknown) | undefined
  readonly encode: ((result: Output) => string) | undefined
  readonly decode: ((text: string) => Output) | undefined
  /** Longest canonical form that is written. */
  readonly maxChars: number
}

/** `content`: the text that the content hash is of. */
export type WrittenResult = ResultText & { readonly content: string }

/** Why a result has no text: `failed` means that `redact`, `equals` or `encode` threw, that `redact` gave a promise, or `encode` no string. */
export type Unwritten = Unfit | 'failed'

export type Codec<Output> = {
  /** What may be stored and served of a result. Never throws, and does not change the result. */
  readonly write: (result: Output) => WrittenResult | Unwritten
  /** A new value for each call. Throws where the tool's decoder does or gives a promise, or where it has another one than the writer. */
  readonly read: (stored: ResultText) => Output
  /** The text that the content hash of a stored result is of; null where it has none. Never throws. */
  readonly contentOf: (stored: ResultText) => string | null
}

/** What a program returns against the types, or computes too late to be used, must not end the process by its rejection. */
export function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined)
}

export function makeCodec<Output>({ redact, equals, encode, decode, maxChars }: CodecOptions<Output>): Codec<Output> {
  /** The result without what is redacted. `redact` gets a copy, so that it cannot change what the agent gets. */
  function redacted(result: Output): { readonly value: Output } | Unwritten {
    if (redact === undefined) return { value: result }
    const form = encode === undefined ? canonicalForm(result, maxChars) : null
    if (form?.text === null) return form.why
    const value = redact(form === null ? structuredClone(result) : (JSON.parse(JSON.stringify(result)) as Output))
    if (!(value instanceof Promise)) return { value }
    // An encoder would make a text of it that is that of no result.
    ignoreRejection(value)
    return 'failed'
  }

  /** As the tool wrote it: an llm that is shown a served result gets the same keys in the same order. */
  function toText(value: Output): WrittenResult | Unwritten {
    if (encode !== undefined) {
      // Against the types, JavaScript returns anything, and JSON.stringify of undefined is undefined.
      const text: unknown = encode(value)
      ignoreRejection(text)
      return typeof text === 'string' ? { form: 'text', text, content: text } : 'failed'
    }
    const form = canonicalForm(value, maxChars)
    return form.text === null ? form.why : { form: 'json', text: JSON.stringify(value), content: form.text }
  }

  function read({ form, text }: ResultText): Output {
    if (form === 'json') {
      if (decode !== undefined)
        throw new TypeError('the stored result was written without an encoder, but the tool has one now')
      return JSON.parse(text) as Output
    }
    if (decode === undefined)
      throw new TypeError('the stored result was written by an encoder, but the tool has none now')
    const decoded = decode(text)
    if (!(decoded instanceof Promise)) return decoded
    // Served as it is, its rejection would fail the call.
    ignoreRejection(decoded)
    throw new TypeError('decode returned a promise')
  }

  function write(result: Output): WrittenResult | Unwritten {
    const given = redacted(result)
    if (typeof given === 'string') return given
    const written = toText(given.value)
    if (typeof written === 'string' || equals === undefined) return written
    // Of the value that a served call would get, so that whoever reads the text finds the same content.
    const part = equals(read(written))
    ignoreRejection(part)
    const form = canonicalForm(part, maxChars)
    return form.text === null ? form.why : { ...written, content: form.text }
  }

  return {
    write(result) {
      try {
        return write(result)
      } catch {
        // What redact, equals or encode threw may hold what they were given, and says no more than this.
        return 'failed'
      }
    },
    read,
    contentOf(stored) {
      try {
        if (equals !== undefined) {
          const part = equals(read(stored))
          ignoreRejection(part)
          return canonicalText(part, Number.POSITIVE_INFINITY)
        }
        return stored.form === 'text' ? stored.text : canonicalText(JSON.parse(stored.text), Number.POSITIVE_INFINITY)
      } catch {
        return null
      }
    },
  }
}

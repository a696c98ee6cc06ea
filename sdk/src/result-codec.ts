// SDK. Converts a tool's result to text and back, and determines the part of it that counts as its content.
import { isPromise } from 'node:util/types'
import { canonicalForm, canonicalText, type Unfit } from './canonical-json.ts'
import type { ResultText } from './sealed-result.ts'

export type CodecOptions<Output> = {
  readonly redact: ((result: Output) => Output) | undefined
  readonly equals: ((result: Output) => unknown) | undefined
  readonly encode: ((result: Output) => string) | undefined
  readonly decode: ((text: string) => Output) | undefined
  /** Maximum length of the canonical text of a result. */
  readonly maxChars: number
}

/** `content`: the text that the content hash is computed from. */
export type WrittenResult = ResultText & { readonly content: string }

/**
 * Why a result has no text. `failed`: `redact`, `equals` or `encode` threw, `redact` returned a promise, or `encode` returned no well-formed
 * string.
 */
export type Unwritten = Unfit | 'failed'

export type Codec<Output> = {
  /** Returns what may be stored and served of a result. Never throws, and does not change the result. */
  readonly write: (result: Output) => WrittenResult | Unwritten
  /**
   * Returns a new value for each call. Throws where `decode` throws or returns a promise, where the tool has a `decode` but the result was
   * written without `encode`, or the reverse.
   */
  readonly read: (stored: ResultText) => Output
  /** Returns the text that the content hash of a stored result is computed from; null where it has none. Never throws. */
  readonly contentOf: (stored: ResultText) => string | null
}

/**
 * For a value that the application returned against its type, or too late to be used: if it is a promise, its rejection must not end the
 * process.
 */
export function ignoreRejection(value: unknown): void {
  if (isPromise(value)) value.catch(() => undefined)
}

/**
 * Whether `await` would wait for the value: a promise or, for example, a query of a database library, which begins when it is awaited. Such
 * a value is never served: if it rejected, the call would fail.
 */
export function isAwaitable(value: unknown): boolean {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && 'then' in value
}

export function makeCodec<Output>({ redact, equals, encode, decode, maxChars }: CodecOptions<Output>): Codec<Output> {
  /** Returns the redacted result. `redact` receives a copy, so that it cannot change the result that the agent gets. */
  function redacted(result: Output): { readonly value: Output } | Unwritten {
    if (redact === undefined) return { value: result }
    const form = encode === undefined ? canonicalForm(result, maxChars) : null
    if (form?.text === null) return form.why
    const value = redact(form === null ? structuredClone(result) : (JSON.parse(JSON.stringify(result)) as Output))
    if (!isAwaitable(value)) return { value }
    // An encoder would turn the promise into a text that represents no result.
    ignoreRejection(value)
    return 'failed'
  }

  /** The text keeps the order of the keys, so that a model gets a served result in the same form as the real one. */
  function toText(value: Output): WrittenResult | Unwritten {
    if (encode !== undefined) {
      // A caller in JavaScript may return anything, and JSON.stringify(undefined) is undefined.
      const text: unknown = encode(value)
      ignoreRejection(text)
      // As UTF-8, texts that differ in lone surrogates only are the same.
      return typeof text === 'string' && text.isWellFormed() ? { form: 'text', text, content: text } : 'failed'
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
    if (!isAwaitable(decoded)) return decoded
    // If the promise were served, its rejection would fail the call.
    ignoreRejection(decoded)
    throw new TypeError('decode returned a promise')
  }

  function write(result: Output): WrittenResult | Unwritten {
    const given = redacted(result)
    if (typeof given === 'string') return given
    const written = toText(given.value)
    if (typeof written === 'string' || equals === undefined) return written
    // Computed from the value that a served call would get, so that every process that reads the text computes the same content.
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
        // The error is not used: it may contain the result, and it adds nothing to `failed`.
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

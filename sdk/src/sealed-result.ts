// SDK. The plaintext of an encrypted result: a header line that identifies the call, then the result.

/** `json`: the result is a JSON value. `text`: the tool's own encoder made the text. */
export type ResultForm = 'json' | 'text'

/** The header is encrypted and authenticated, so the service can neither read it nor pass one result off as another. */
export type ResultHeader = {
  readonly tool: string
  /** Null where the input has no canonical form. */
  readonly inputHash: string | null
  /** Null where the tool declares no scope. */
  readonly scopeHash: string | null
  /** Start of the real execution, by the same clock as its end. Results of earlier versions lack it; their end is used instead. */
  readonly startMs: number
  /** End of the real execution, Unix milliseconds by the clock of the client that ran it. */
  readonly endMs: number
  readonly form: ResultForm
}

/** A result as text. In this form it is encrypted, kept in memory, and decoded again for each served call. */
export type ResultText = { readonly form: ResultForm; readonly text: string }

export type PlainResult = { readonly header: ResultHeader; readonly text: string }

const version = 1

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

export function writePlainResult({ header, text }: PlainResult): Uint8Array {
  const { tool, inputHash, scopeHash, startMs, endMs, form } = header
  const scope = scopeHash === null ? {} : { scope_hash: scopeHash }
  const line = JSON.stringify({
    v: version,
    tool,
    input_hash: inputHash,
    ...scope,
    start_ms: startMs,
    end_ms: endMs,
    form,
  })
  return new TextEncoder().encode(`${line}\n${text}`)
}

/** Returns null where the bytes have another version or another format than `writePlainResult` writes. */
export function readPlainResult(bytes: Uint8Array): PlainResult | null {
  let whole: string
  let line: unknown
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    line = JSON.parse(whole.slice(0, whole.indexOf('\n') + 1))
  } catch {
    return null
  }
  if (typeof line !== 'object' || line === null) return null
  const { v, tool, input_hash: inputHash, end_ms: endMs, form } = line as Record<string, unknown>
  const { scope_hash: scopeHash = null, start_ms: startMs = endMs } = line as Record<string, unknown>
  if (v !== version || typeof tool !== 'string' || !isTime(endMs) || !isTime(startMs)) return null
  if (inputHash !== null && typeof inputHash !== 'string') return null
  if (scopeHash !== null && typeof scopeHash !== 'string') return null
  if (form !== 'json' && form !== 'text') return null
  return { header: { tool, inputHash, scopeHash, startMs, endMs, form }, text: whole.slice(whole.indexOf('\n') + 1) }
}

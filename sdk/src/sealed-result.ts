// SDK. What is inside an encrypted result: a line that says what it is the result of, and the result.

/** `json`: the result is a JSON value. `text`: it is what the tool's own encoder made. */
export type ResultForm = 'json' | 'text'

/** All of it is encrypted and authenticated, so the service can neither read it nor pass one result off as another. */
export type ResultHeader = {
  readonly tool: string
  /** Null where the input has no canonical form. */
  readonly inputHash: string | null
  /** Null where the tool declares no scope. */
  readonly scopeHash: string | null
  /** Start of the real execution, by the same clock as its end. Results of earlier versions lack it; then it is the end. */
  readonly startMs: number
  /** End of the real execution, Unix milliseconds by the clock of the client that ran it. */
  readonly endMs: number
  readonly form: ResultForm
}

/** A result as text: what is encrypted, kept in memory and decoded anew for each call that is served. */
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

/** Null where the bytes are not of this version or not what `writePlainResult` makes. */
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

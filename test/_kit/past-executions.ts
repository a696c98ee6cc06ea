// Executions of tools as the SDK would have reported them at another time, with the SDK's hashes and encryption.
import { canonicalInput } from '../../sdk/src/call-hashes.ts'
import { canonicalForm } from '../../sdk/src/canonical-json.ts'
import { makeKeyRing } from '../../sdk/src/key-ring.ts'
import { makeHasher } from '../../sdk/src/keyed-hash.ts'
import { writePlainResult } from '../../sdk/src/sealed-result.ts'
import { type AttributesInput, makeSpan, type OtlpSpan } from './spans.ts'

/** Keys of the client that reports the executions. */
export type PastKeys = { readonly hashKey: Uint8Array; readonly encryptionKey: Uint8Array; readonly keyId: string }

export type PastTool = {
  readonly name: string
  readonly agentName: string
  readonly version?: string
  /** Empty: the tool is not attested, and no result is stored. */
  readonly claims?: readonly ('same_input' | 'unread')[]
  readonly costUsd?: number
}

export type PastCall = {
  readonly input: unknown
  /** A JSON value. Undefined: the call failed. */
  readonly result?: unknown
  readonly scope?: string
  /** Unix milliseconds. */
  readonly startMs: number
  readonly durationMs?: number
  readonly sessionId?: string
  readonly traceId?: string
  readonly callId?: string
}

export type Past = { readonly execute: (tool: PastTool, call: PastCall) => Promise<OtlpSpan> }

const maxChars = 1_000_000

export function openPast(keys: PastKeys): Past {
  const hasher = makeHasher(keys.hashKey)
  const ring = makeKeyRing({ keyId: keys.keyId, key: keys.encryptionKey }, [])

  async function seal(tool: PastTool, call: PastCall, inputHash: string, scopeHash: string | null) {
    const content = canonicalForm(call.result, maxChars)
    if (content.text === null) throw new TypeError('the result of a past execution must be a JSON value')
    const { startMs, durationMs = 40 } = call
    const header = {
      tool: tool.name,
      inputHash,
      scopeHash,
      startMs,
      endMs: startMs + durationMs,
      form: 'json' as const,
    }
    const plain = writePlainResult({ header, text: JSON.stringify(call.result) })
    const sealed = await ring.seal(plain, hasher.ofContent(tool.name, content.text))
    return {
      'tracewright.tool.content_hash': sealed.contentHash,
      'tracewright.tool.key_id': sealed.keyId,
      'tracewright.tool.ciphertext': sealed.ciphertext,
      'tracewright.tool.iv': sealed.iv,
      'tracewright.tool.tag': sealed.tag,
    }
  }

  return {
    async execute(tool, call) {
      const { version = null, claims = ['same_input'] } = tool
      const canonical = canonicalInput(call.input)
      if (canonical === null) throw new TypeError('the input of a past execution must be a JSON value')
      const inputHash = hasher.ofInput(tool.name, { version, scope: call.scope ?? null }, canonical)
      const scopeHash = call.scope === undefined ? null : hasher.ofScope(tool.name, version, call.scope)
      const isError = call.result === undefined
      const attributes: AttributesInput = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'gen_ai.agent.name': tool.agentName,
        'tracewright.tool.input_hash': inputHash,
        ...(claims.length === 0 ? {} : { 'tracewright.tool.attested': true, 'tracewright.tool.claims': [...claims] }),
        ...(version === null ? {} : { 'tracewright.tool.version': version }),
        ...(scopeHash === null ? {} : { 'tracewright.tool.scope_hash': scopeHash }),
        ...(call.sessionId === undefined ? {} : { 'gen_ai.conversation.id': call.sessionId }),
        ...(call.callId === undefined ? {} : { 'gen_ai.tool.call.id': call.callId }),
        ...(tool.costUsd === undefined ? {} : { 'gen_ai.usage.cost': tool.costUsd }),
        ...(isError ? { 'error.type': 'Error' } : {}),
        ...(isError || claims.length === 0 ? {} : await seal(tool, call, inputHash, scopeHash)),
      }
      return makeSpan({
        ...(call.traceId === undefined ? {} : { traceId: call.traceId }),
        name: `execute_tool ${tool.name}`,
        kind: 1,
        start: call.startMs,
        durationMs: call.durationMs ?? 40,
        attributes,
        ...(isError ? { status: { code: 2 } } : {}),
      })
    },
  }
}

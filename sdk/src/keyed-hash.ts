// SDK. Hashes that only the owner of the hash key can compute: the service can compare them but cannot guess what was hashed.
import { createHmac, createSecretKey } from 'node:crypto'

/** The name of the function and 64 hex digits: 76 characters, below the service's limit of 128. */
export type KeyedHash = `hmac-sha256:${string}`

/** Null: the tool declares no version or no scope. */
export type InputSubject = { readonly version: string | null; readonly scope: string | null }

export type Hasher = {
  /** Hashes the canonical text of a tool's input, for this version of the tool and this scope. */
  readonly ofInput: (tool: string, subject: InputSubject, canonicalInput: string) => KeyedHash
  /** Hashes a scope, for this version of the tool. */
  readonly ofScope: (tool: string, version: string | null, scope: string) => KeyedHash
  /** Hashes the canonical text of a tool's result, or the text that the tool's own encoder returned. */
  readonly ofContent: (tool: string, content: string) => KeyedHash
}

/**
 * One key serves all uses; the first line of the hashed text distinguishes them. The tool's name is part of the hashed text, so equal
 * inputs of two tools have different hashes. Cost: 2 µs for a short text (13 µs if the key were passed as bytes each time).
 */
export function makeHasher(key: Uint8Array): Hasher {
  const secret = createSecretKey(key)
  const hash = (head: string, text: string): KeyedHash =>
    `hmac-sha256:${createHmac('sha256', secret).update(head).update(text).digest('hex')}`
  return {
    ofInput(tool, { version, scope }, canonicalInput) {
      // Without version and scope, the hash is the same as in earlier versions of the SDK, so that results stored by them stay usable.
      if (version === null && scope === null)
        return hash(`tracewright/input/1\n${JSON.stringify(tool)}\n`, canonicalInput)
      return hash(`tracewright/input/2\n${JSON.stringify([tool, version, scope])}\n`, canonicalInput)
    },
    ofScope: (tool, version, scope) => hash(`tracewright/scope/1\n${JSON.stringify([tool, version])}\n`, scope),
    ofContent: (tool, content) => hash(`tracewright/content/1\n${JSON.stringify(tool)}\n`, content),
  }
}

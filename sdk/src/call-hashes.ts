// SDK. Identifies a call of a tool by the hashes of its input and of its scope.
import { canonicalText } from './canonical-json.ts'
import { ApplicationFault, runGiven } from './error-type.ts'
import type { Hasher, KeyedHash } from './keyed-hash.ts'
import { ignoreRejection } from './result-codec.ts'

export type CallHashes = {
  /** Null where the input cannot be hashed; such a call is never served. */
  readonly inputHash: KeyedHash | null
  /** Null where the tool declares no scope, or its `scope` failed. */
  readonly scopeHash: KeyedHash | null
}

export type HashOptions<Input> = {
  readonly hasher: Hasher
  readonly tool: string
  readonly version: string | null
  readonly scope: ((input: Input) => string) | null
  readonly onFault: (error: unknown) => void
}

// An input that takes longer to hash than to send is not hashed.
const maxInputChars = 1_048_576

/** Returns the canonical text of the input, or null where it has none. Throws where reading the input throws, as a getter may. */
export const canonicalInput = (input: unknown): string | null =>
  input === undefined ? '' : canonicalText(input, maxInputChars)

/**
 * Returns the input as it was when it had this canonical text: a copy if the caller has changed its object since. Otherwise the tool would
 * run for another input than the one that its result is stored for.
 */
export function asBegun<Input>(input: Input, canonical: string | null): Input {
  if (canonical === null || typeof input !== 'object' || canonicalInput(input) === canonical) return input
  return JSON.parse(canonical) as Input
}

/** Returns a function that hashes a call. Its `canonical` is the canonical text of the same input. */
export function makeCallHashes<Input>({
  hasher,
  tool,
  version,
  scope,
  onFault,
}: HashOptions<Input>): (input: Input, canonical: string | null) => CallHashes {
  const what = `the function scope of the tool ${JSON.stringify(tool)}`
  const consequence = 'the call runs for real, and no later call is served its result'

  /** Returns null where `scope` threw or returned no well-formed string. */
  function readScope(of: (input: Input) => string, input: Input): string | null {
    try {
      const given: unknown = runGiven(what, consequence, () => of(input))
      // As UTF-8, scopes that differ in lone surrogates only are the same.
      if (typeof given === 'string' && given.isWellFormed()) return given
      ignoreRejection(given)
      onFault(new ApplicationFault(`${what} must return a well-formed string; ${consequence}`))
    } catch (error) {
      onFault(error)
    }
    return null
  }

  return (input, canonical) => {
    const given = scope === null ? null : readScope(scope, input)
    const scopeHash = given === null ? null : hasher.ofScope(tool, version, given)
    // An unknown scope must not be treated as "no scope".
    if (canonical === null || (scope !== null && given === null)) return { inputHash: null, scopeHash }
    return { inputHash: hasher.ofInput(tool, { version, scope: given }, canonical), scopeHash }
  }
}

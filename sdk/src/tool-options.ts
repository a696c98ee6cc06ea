// SDK. The options of a tool, checked once when the tool is wrapped.

type StoredByScope = { readonly serve: 'stored' }
type Stub<Input, Output> = { readonly serve: (input: Input) => Output }

/** `sameInput`: the same input gives the same result. `unread`: a result that the model does not read is not needed. */
type Claims<Unread> = { readonly sameInput?: boolean; readonly unread?: Unread }

type CommonOptions<Input, Output> = {
  /** 1 to 128 characters. A result of one version is never served to another. Change it when the results of the tool change. */
  readonly version?: string
  /** Maximum age of a result that may be served, in seconds. Default: the limit of the rule. */
  readonly freshnessS?: number
  /** Receives a copy of a result and returns what may be stored of it; served calls get this. The result of the real call is not changed. */
  readonly redact?: (result: Output) => Output
  /** Returns the part of a result that counts when two results are compared. The whole result is stored and served. */
  readonly equals?: (result: Output) => unknown
  /** What one real call costs, in US dollars. */
  readonly costUsd?: number | ((input: Input, result: Output) => number)
  /** For results that are not JSON values. Must return the same text for the same result. */
  readonly encode?: (result: Output) => string
  /** Reverses `encode`. If it throws, as for a text of an unknown format, the tool runs for real. */
  readonly decode?: (text: string) => Output
  /** `model`: only a model receives the results. Without it, every result of a tool that attests `unread` counts as read. */
  readonly consumedBy?: 'model'
  /** True: a call changes nothing outside the tool. False: it has an effect. Sent with each real call; it permits nothing by itself. */
  readonly readOnly?: boolean
}

type AttestOptions<Input, Output> =
  | {
      /**
       * The claims about the tool; `true` is short for `{ sameInput: true }`. Default false: no result is stored or served. No claim
       * implies another.
       */
      readonly attest?: boolean | Claims<Stub<Input, Output>>
      /** Returns whom the result belongs to (user, tenant), where the input does not show it. */
      readonly scope?: (input: Input) => string
    }
  | { readonly attest: Claims<StoredByScope>; readonly scope: (input: Input) => string }

export type ToolOptions<Input, Output> = CommonOptions<Input, Output> & AttestOptions<Input, Output>

export type Claim = 'same_input' | 'unread'

export type CheckedToolOptions<Input, Output> = Omit<CommonOptions<Input, Output>, 'version' | 'freshnessS'> & {
  readonly version: string | null
  readonly freshnessS: number
  readonly scope: ((input: Input) => string) | null
  readonly claims: readonly Claim[]
  readonly attestsSameInput: boolean
  /** Null: `unread` is not attested. */
  readonly unread: 'stored' | ((input: Input) => Output) | null
}

const maxVersionChars = 128
/** Control characters and lone surrogates, which the service rejects. */
const odd = /[\p{Cc}\p{Cs}]/u

function fault(text: string): never {
  throw new TypeError(`tool: ${text}`)
}

function checkVersion(version: unknown): string | null {
  if (version === undefined) return null
  if (typeof version !== 'string' || version === '' || version.length > maxVersionChars || odd.test(version))
    fault(`version must be a string of 1 to ${maxVersionChars} characters without control characters`)
  return version
}

function checkNumbers({ freshnessS, costUsd }: { readonly freshnessS?: unknown; readonly costUsd?: unknown }): void {
  if (freshnessS !== undefined && !(typeof freshnessS === 'number' && freshnessS >= 0))
    fault('freshnessS must be a number that is 0 or greater')
  if (costUsd === undefined || typeof costUsd === 'function') return
  if (!(typeof costUsd === 'number' && costUsd >= 0 && costUsd < Number.POSITIVE_INFINITY))
    fault('costUsd must be a function or a number that is 0 or greater')
}

const maxNameChars = 256

/** Throws a TypeError where the name is not a string of 1 to 256 characters or `fn` is not a function. */
export function checkTool(name: unknown, fn: unknown): void {
  if (typeof name !== 'string' || name === '' || name.length > maxNameChars)
    fault(`the name must be a string of 1 to ${maxNameChars} characters`)
  if (typeof fn !== 'function') fault('the second argument must be a function')
}

/** Returns the options with their defaults. Throws a TypeError that names the wrong option, never its value. */
export function checkToolOptions<Input, Output>(
  options: ToolOptions<Input, Output>,
): CheckedToolOptions<Input, Output> {
  if (typeof options !== 'object' || options === null) fault('the options must be an object')
  checkNumbers(options)
  const { attest = false, scope, freshnessS = Number.POSITIVE_INFINITY, ...rest } = options
  if (typeof attest !== 'boolean' && (typeof attest !== 'object' || attest === null))
    fault('attest must be a boolean or an object of claims')
  if (scope !== undefined && typeof scope !== 'function') fault('scope must be a function')
  const claimed: Claims<Stub<Input, Output> | StoredByScope> =
    typeof attest === 'boolean' ? { sameInput: attest } : attest
  const { sameInput = false, unread } = claimed
  if (typeof sameInput !== 'boolean') fault('attest.sameInput must be a boolean')
  const serve = unread?.serve ?? null
  if (unread !== undefined && serve !== 'stored' && typeof serve !== 'function')
    fault(`attest.unread.serve must be a function or 'stored'`)
  if (serve === 'stored' && scope === undefined) fault(`attest.unread.serve 'stored' requires scope`)
  for (const name of ['redact', 'equals', 'encode', 'decode'] as const)
    if (rest[name] !== undefined && typeof rest[name] !== 'function') fault(`${name} must be a function`)
  if (rest.equals !== undefined && rest.encode !== undefined && rest.decode === undefined)
    fault('equals together with encode requires decode')
  if (rest.consumedBy !== undefined && rest.consumedBy !== 'model') fault(`consumedBy must be 'model'`)
  if (rest.readOnly !== undefined && typeof rest.readOnly !== 'boolean') fault('readOnly must be a boolean')
  return {
    ...rest,
    version: checkVersion(rest.version),
    freshnessS,
    scope: scope ?? null,
    claims: [...(sameInput ? (['same_input'] as const) : []), ...(serve === null ? [] : (['unread'] as const))],
    attestsSameInput: sameInput,
    unread: serve,
  }
}

// SDK. The options of the client. They are checked once, when it is created; a wrong option throws.
import type { RawKey } from './key-ring.ts'

/** Bytes, or their base64 text. */
export type KeyMaterial = Uint8Array | string

// The type of a key includes undefined, as that of an environment variable does. A missing key is a TypeError at the start.

export type EncryptionKey = {
  /** 1 to 128 characters; stored with each result, so that the result's key can be found after a rotation. */
  readonly keyId: string
  /** 32 bytes. */
  readonly key: KeyMaterial | undefined
}

export type TracewrightOptions = {
  /** URL of the service, without `/v1`. */
  readonly baseUrl: string
  /** Secret key of the workspace: `tw_sk_…`. */
  readonly apiKey: string | undefined
  /** Agent name of calls outside of `agent(…)`. Also the OpenTelemetry resource attribute `service.name`. */
  readonly agentName: string
  readonly encryptionKeys: { readonly current: EncryptionKey; readonly previous?: readonly EncryptionKey[] }
  /** At least 32 bytes. Must be the same in all processes that share results. A different key gives different hashes, so no rule matches. */
  readonly hashKey: KeyMaterial | undefined
  /** How long a call may wait for a stored result before the real tool runs, in milliseconds; 10 to 10,000, default 300. */
  readonly deadlineMs?: number
  /** Maximum size of a result that is stored or fetched, in bytes before encryption; default 262,144, the service's own limit. */
  readonly maxResultBytes?: number
  /** Maximum size of the results of active rules that are kept in memory, in bytes; 0 keeps none. Default 33,554,432. */
  readonly maxMemoryBytes?: number
  /** Maximum number of spans that wait to be sent; further ones are dropped. Default 4,096. */
  readonly maxQueueSpans?: number
  /** Maximum size of the spans that wait to be sent, in bytes; beyond it, results are left out, then spans dropped. Default 33,554,432. */
  readonly maxQueueBytes?: number
  /** How long an ended span waits for others, in milliseconds; default 1,000. */
  readonly flushIntervalMs?: number
  /** How long `flush`, `shutdown` and the end of the process wait for the service, in milliseconds; default 5,000. */
  readonly flushTimeoutMs?: number
  /** Further attributes of the resource, such as `deployment.environment.name`. */
  readonly resource?: Readonly<Record<string, string>>
  /** Makes the tracer provider and the context manager those of the whole process. Default false. */
  readonly registerGlobally?: boolean
  /** Returns a number from 0 to 1, for the holdout and the jitter. Default `Math.random`. */
  readonly random?: () => number
}

export type CheckedOptions = {
  readonly baseUrl: URL
  readonly apiKey: string
  readonly agentName: string
  readonly current: RawKey
  readonly previous: readonly RawKey[]
  readonly hashKey: Uint8Array
  readonly deadlineMs: number
  readonly maxResultBytes: number
  readonly maxMemoryBytes: number
  readonly maxQueueSpans: number
  readonly maxQueueBytes: number
  readonly flushIntervalMs: number
  readonly flushTimeoutMs: number
  readonly resource: Readonly<Record<string, string>>
  readonly registerGlobally: boolean
  readonly random: () => number
}

const aesKeyBytes = 32
const minHashKeyBytes = 32
const maxNameChars = 128

function fault(text: string): never {
  throw new TypeError(`createTracewright: ${text}`)
}

function bytesOf(material: KeyMaterial | undefined, name: string): Uint8Array {
  if (material instanceof Uint8Array) return new Uint8Array(material)
  if (typeof material !== 'string' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(material))
    fault(`${name} must be a Uint8Array or a base64 string`)
  return new Uint8Array(Buffer.from(material, 'base64'))
}

function readKey(given: EncryptionKey | undefined, name: string): RawKey {
  if (typeof given !== 'object' || given === null) fault(`${name} must be an object with keyId and key`)
  const { keyId, key } = given
  if (typeof keyId !== 'string' || keyId === '' || keyId.length > maxNameChars)
    fault(`${name}.keyId must be a string of 1 to ${maxNameChars} characters`)
  const bytes = bytesOf(key, `${name}.key`)
  if (bytes.length !== aesKeyBytes) fault(`${name}.key must have ${aesKeyBytes} bytes, but has ${bytes.length}`)
  return { keyId, key: bytes }
}

function readNumber(given: number | undefined, name: string, fallback: number, least: number, most: number): number {
  const value = given ?? fallback
  if (typeof value !== 'number' || !(value >= least && value <= most))
    fault(`${name} must be a number from ${least} to ${most}`)
  return value
}

function readText(given: string | undefined, name: string): string {
  if (typeof given !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(given))
    fault(`${name} must be a string of printable ASCII characters, with no space at either end`)
  return given
}

function readUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol)) fault('baseUrl must be an http or https URL')
  if (/\/v1\/?$/.test(url.pathname)) fault('baseUrl must not end in /v1')
  return url
}

/**
 * Returns a source that never throws and gives only numbers from 0 to 1: for any other outcome of the given one, a number of `Math.random`.
 * Rules and spans are requested in the background, where an error would end the process.
 */
const withFallback = (random: () => unknown) => (): number => {
  try {
    const drawn = random()
    if (typeof drawn === 'number' && drawn >= 0 && drawn <= 1) return drawn
  } catch {
    // The source is only a preference.
  }
  return Math.random()
}

/** Returns the options with their defaults. Throws a TypeError that names the wrong option, never its value. */
export function checkOptions(options: TracewrightOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null) fault('the options must be an object')
  const { current, previous = [] } = options.encryptionKeys ?? {}
  const currentKey = readKey(current, 'encryptionKeys.current')
  const previousKeys = previous.map((key, at) => readKey(key, `encryptionKeys.previous[${at}]`))
  const ids = new Set([currentKey, ...previousKeys].map(({ keyId }) => keyId))
  if (ids.size !== previousKeys.length + 1) fault('two encryption keys have the same keyId; give each key its own')
  const hashKey = bytesOf(options.hashKey, 'hashKey')
  if (hashKey.length < minHashKeyBytes) fault(`hashKey must have at least ${minHashKeyBytes} bytes`)
  if (typeof options.agentName !== 'string' || options.agentName === '') fault('agentName must be a non-empty string')
  const { random = Math.random } = options
  if (typeof random !== 'function') fault('random must be a function')
  return {
    baseUrl: readUrl(options.baseUrl),
    apiKey: readText(options.apiKey, 'apiKey'),
    agentName: options.agentName,
    current: currentKey,
    previous: previousKeys,
    hashKey,
    deadlineMs: readNumber(options.deadlineMs, 'deadlineMs', 300, 10, 10_000),
    maxResultBytes: readNumber(options.maxResultBytes, 'maxResultBytes', 262_144, 1_024, 16_777_216),
    maxMemoryBytes: readNumber(options.maxMemoryBytes, 'maxMemoryBytes', 33_554_432, 0, 1_073_741_824),
    maxQueueSpans: readNumber(options.maxQueueSpans, 'maxQueueSpans', 4_096, 1, 1_000_000),
    maxQueueBytes: readNumber(options.maxQueueBytes, 'maxQueueBytes', 33_554_432, 65_536, 1_073_741_824),
    flushIntervalMs: readNumber(options.flushIntervalMs, 'flushIntervalMs', 1_000, 1, 60_000),
    flushTimeoutMs: readNumber(options.flushTimeoutMs, 'flushTimeoutMs', 5_000, 0, 60_000),
    resource: options.resource ?? {},
    registerGlobally: options.registerGlobally ?? false,
    random: withFallback(random),
  }
}

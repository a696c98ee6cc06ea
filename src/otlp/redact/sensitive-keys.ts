// Which keys of an object promise a secret as their value.

const worthALook = /pass|pwd|secret|token|auth|cookie|cred|key/i
/** What the pattern for assignments in text takes for the name of a secret, be it the end of a longer word. */
const secretEnd =
  /(?:password|passwd|passphrase|pwd|[_-]pass|secret|token|(?:account|api|access|private|secret)[-_ ]?key|authorization|cookie)$/i
/** Of a longer name only so much of its end is looked at. */
const maxNameLength = 256
const humps = /([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g

const secretWords = new Set([
  'password',
  'passwords',
  'passwd',
  'pwd',
  'passphrase',
  'passcode',
  'secret',
  'secrets',
  'authorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'apikey',
  'apikeys',
  'authtoken',
  'accesstoken',
])

/** What makes a secret of a key or of tokens in the plural: `private_key`, `access_tokens`. */
const secretKeyKinds = new Set([
  'account',
  'api',
  'private',
  'secret',
  'access',
  'signing',
  'encryption',
  'master',
  'subscription',
])
const secretTokenKinds = new Set(['access', 'refresh', 'auth', 'id', 'bearer', 'session', 'api', 'security'])

/** Tokens that are no secret: special tokens of a vocabulary, places in a list, measures. */
const plainTokenKinds = new Set(
  'eos bos pad unk sep cls mask stop start end first next last page continuation per'.split(' '),
)

/** A last word that speaks about the secret rather than being it: `password_policy`, `secret_name`. */
const aboutWords = new Set(
  'count length policy type id name required enabled expires expiry url uri version arn strategy present usage limit'.split(
    ' ',
  ),
)

/** `no`: an ordinary key. `text`: a secret where the value is text (a `token` may be a number of them). `any`: a secret. */
export type Sensitivity = 'no' | 'text' | 'any'

/**
 * Whether the value under a key is a secret, in any of the usual spellings (`apiKey`, `X-API-Key`, `client_secret`).
 * Counts such as `input_tokens` and `max_tokens` are none. Cost: one short regular expression for an ordinary key.
 */
export function sensitivityOf(key: string): Sensitivity {
  const end = key.slice(-maxNameLength)
  if (!worthALook.test(end)) return 'no'
  const words = end
    .replaceAll(humps, '$1$3 $2$4')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  if (aboutWords.has(last)) return 'no'
  if (words.some((word) => secretWords.has(word.replace(/\d+$/, '')))) return 'any'
  if ((last === 'key' || last === 'keys') && secretKeyKinds.has(before)) return 'any'
  if (last === 'pass' && before !== '') return 'text'
  if (last === 'token') return plainTokenKinds.has(before) ? 'no' : 'text'
  if (last === 'tokens') return secretTokenKinds.has(before) ? 'text' : 'no'
  if (!secretEnd.test(end)) return 'no'
  return last.endsWith('token') ? 'text' : 'any'
}

const label = /(?:name|key)$/i
const labelled = /value$/i

/** Whether the value under a key may name what stands beside it: `name` of `{"name": "password", "value": "…"}`. */
export const isLabel = (key: string): boolean => label.test(key.slice(-maxNameLength))

/** Whether the value under a key is what a label beside it names. */
export const isLabelled = (key: string): boolean => labelled.test(key.slice(-maxNameLength))

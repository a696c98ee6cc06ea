// Decides which keys of an object promise a secret as their value.

const worthALook = /pass|pwd|secret|token|auth|cookie|cred|key/i
/** Words before `key` that make it a secret: `private_key`. Text and the quick check for suspicious bytes use the same list. */
export const secretKeyKinds: readonly string[] =
  'account api private secret access signing encryption master subscription'.split(' ')
/** Words before the plural `tokens` that make it a secret: `access_tokens`. */
export const secretTokenKinds: readonly string[] = 'access refresh auth id bearer session api security'.split(' ')
/** The source of a regular expression for names of secrets, in assignments in text and at the end of a longer word. */
export const secretNameSource = `(?:password|passwd|passphrase|pwd|[_-]pass|secret|token|(?:${secretKeyKinds.join('|')})[-_ ]?key|authorization|cookie)`
const secretEnd = new RegExp(`${secretNameSource}$`, 'i')
/** Of a longer name, only this many characters at its end are checked. */
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

/** Words before `token` for tokens that are not secret: special tokens of a vocabulary, positions in a list, measures. */
const plainTokenKinds = new Set(
  'eos bos pad unk sep cls mask stop start end first next last page continuation per'.split(' '),
)

/** Last words of keys that describe a secret but do not contain it: `password_policy`, `secret_name`. */
const aboutWords = new Set(
  'count length policy type id name required enabled expires expiry url uri version arn strategy present usage limit'.split(
    ' ',
  ),
)

/** `no`: an ordinary key. `text`: a secret if the value is text (a number under `token` may be a count). `any`: a secret. */
export type Sensitivity = 'no' | 'text' | 'any'

/**
 * Returns whether the value under a key is a secret. Recognizes the usual spellings (`apiKey`, `X-API-Key`, `client_secret`). Counts such as
 * `input_tokens` and `max_tokens` are not secrets. Costs one short regular expression for an ordinary key.
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
  if ((last === 'key' || last === 'keys') && secretKeyKinds.includes(before)) return 'any'
  if (last === 'pass' && before !== '') return 'text'
  if (last === 'token') return plainTokenKinds.has(before) ? 'no' : 'text'
  if (last === 'tokens') return secretTokenKinds.includes(before) ? 'text' : 'no'
  if (!secretEnd.test(end)) return 'no'
  return last.endsWith('token') ? 'text' : 'any'
}

const label = /(?:name|key)$/i
const labelled = /value$/i

/** Whether the value under a key may name a value beside it: `name` in `{"name": "password", "value": "…"}`. */
export const isLabel = (key: string): boolean => label.test(key.slice(-maxNameLength))

/** Whether the value under a key is the one that a label beside it names. */
export const isLabelled = (key: string): boolean => labelled.test(key.slice(-maxNameLength))

// Decides which keys of an object promise a secret as their value.

const worthALook = /pass|pwd|secret|token|auth|cookie|cred|key|pin|otp|ssn|cv[vc]|ion[-_.]?(?:code|string)|social/i
/** Words before `key` that make it a secret: `private_key`. Text and the quick check for suspicious bytes use the same list. */
export const secretKeyKinds: readonly string[] =
  'account api private secret access signing encryption master subscription'.split(' ')
/** Words before the plural `tokens` that make it a secret: `access_tokens`. */
export const secretTokenKinds: readonly string[] = 'access refresh auth id bearer session api security'.split(' ')
/** The source of a regular expression for names of secrets, in assignments in text and at the end of a longer word. */
export const secretNameSource = `(?:password|passwd|passphrase|passcode|pwd|[_-]pass|secret|token|(?:${secretKeyKinds.join('|')})[-_ ]?key|authorization|cookie)`
/** As `secretNameSource`, for names that are also common in prose and code: in text, they count only in quotes. */
export const quotedNameSource = '(?:credentials?|connection[-_]string|(?-i:[cC]onnectionString))'
/** The source of a regular expression for names whose values are secret if they are codes, in text. */
export const codeNameSource =
  '(?:(?:pin|otp|ssn|cv[vc])(?:\\d|[-_ ]?code|[-_ ]number)?|verification[-_ ]code|social[-_ ]security[-_ ]number)'
/** The source of a regular expression for a code: 3 to 12 digits, perhaps in groups. */
export const codeSource = '\\d{3}(?:[ -]?\\d){0,9}'
const wholeCode = new RegExp(`^${codeSource}$`)
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

/** Words behind the name of a secret that tell only which of several it is, or that this is its value: `api_key_prod`, `token_value`. */
const wordsBehind = new Set(
  'value prod production preprod dev development stage staging stg test testing qa uat ci live local sandbox demo preview primary secondary backup old new'.split(
    ' ',
  ),
)

/** The most of these words and of numbers that are skipped in text. */
const mostBehind = 4
const longestFirst = [...wordsBehind].sort((a, b) => b.length - a.length)
/**
 * The source of a regular expression (flag `i`) for one of these words, behind a separator or as a hump in camel case, or a number. No word
 * and number can be read in two ways, so that repeating it takes linear time. `.value` is rather code than part of a name: `token.value =`; a
 * port and a path follow the name of a host: `token.prod:8080/`.
 */
const behindSource = `(?:(?:[_-]{1,2}|\\.(?!value|[a-z]+:\\d{1,5}/)|(?-i:(?<=[a-z0-9])(?=[A-Z])))(?:${longestFirst.join('|')})|(?:[_-]{1,2}|\\.)?\\d{1,14}(?!\\d))`
/** The same for all that may stand between the name of a secret and the sign of an assignment in text: at most 64 characters. */
export const behindNameSource = `${behindSource}{0,${mostBehind}}`
/**
 * The source of a regular expression behind the sign of an assignment (`sign`: the source of all from the name to the value): the value is
 * not a number under a name such as `token_new`, which may be a count or a measure. As in JSON, only text is a secret there.
 */
export const notCountSource = (sign: string): string =>
  `(?![+-]?\\d{1,15}(?:\\.\\d{1,24})?(?:e[+-]?\\d{1,3})?(?=[.%]?(?:[\\s"'\\\\,;<>(){}[\\]&]|$))(?<=token${behindSource}{1,${mostBehind}}${sign}[-+\\d.e]{1,48}))`

/** Returns the words of a name without those behind the name of the secret and without digits at its end. The first word always stays. */
function trimWords(words: readonly string[]): readonly string[] {
  let length = words.length
  const isBehind = (word: string): boolean => wordsBehind.has(word) || /^\d+$/.test(word)
  while (length > 1 && isBehind(words[length - 1] as string)) length--
  const last = words[length - 1] ?? ''
  const plain = last.replace(/(?<=[a-z])\d+$/, '')
  return length === words.length && plain === last ? words : [...words.slice(0, length - 1), plain]
}

/** The credential of an AppRole in Vault. In `SecretId`, AWS expects the name of a secret. */
const appRoleSecret = /(?<![a-z])secret[-_.]id$/i

const codeWords = new Set('pin otp ssn cvv cvc'.split(' '))

/** Whether the last words of a key name a code: `pin`, `otpCode`, `cvv2`, `social_security_number`. */
function isCodeName(words: readonly string[]): boolean {
  const [beforeThat, before = '', last = ''] = ['', '', ...words].slice(-3)
  if (codeWords.has(last.replace(/(?:\d+|code)$/, ''))) return true
  if (last === 'code') return codeWords.has(before) || before === 'verification'
  return last === 'number' && (codeWords.has(before) || (before === 'security' && beforeThat === 'social'))
}

/** Whether a value under the name of a code is one. The pin of a map or of a circuit board is not, nor is a sentence about codes. */
export const isCode = (value: unknown): value is string | number | bigint =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') && wholeCode.test(String(value))

/** `no`: an ordinary key. `text`: a secret if the value is text (a number under `token` may be a count). `any`: a secret. `code`: a secret if `isCode`. */
export type Sensitivity = 'no' | 'code' | 'text' | 'any'

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
  if (aboutWords.has(words.at(-1) ?? '')) return appRoleSecret.test(end) && words.at(-3) !== 'client' ? 'any' : 'no'
  if (words.some((word) => secretWords.has(word.replace(/\d+$/, '')))) return 'any'
  const named = trimWords(words)
  const last = named.at(-1) ?? ''
  const before = named.at(-2) ?? ''
  if ((last === 'key' || last === 'keys') && secretKeyKinds.includes(before)) return 'any'
  if (isCodeName(words)) return 'code'
  // Connection strings without a separator are not recognized in the bytes of a text, except in camel case.
  if (/^strings?$/.test(last) && before === 'connection' && !end.includes(' ')) return 'any'
  if (last === 'pass' && before !== '') return 'text'
  if (last === 'token') return plainTokenKinds.has(before) ? 'no' : 'text'
  if (last === 'tokens') return secretTokenKinds.includes(before) ? 'text' : 'no'
  if (!secretEnd.test(end) && (named === words || !secretEnd.test(named.join('_')))) return 'no'
  return last.endsWith('token') ? 'text' : 'any'
}

const ranks: Readonly<Record<Sensitivity, number>> = { no: 0, code: 1, text: 2, any: 3 }

/** Whether a value is rather judged by the name that a member beside it gives than by its own: the one that promises more. */
export const promisesMore = (other: Sensitivity, own: Sensitivity): boolean => ranks[other] > ranks[own]

const label = /(?:name|key)$|^type$/i
const labelled = /value$/i

const [letterE, letterY] = [0x65, 0x79]
/** The last letter, in lower case: rules out most keys. */
const lastOf = (key: string): number => key.charCodeAt(key.length - 1) | 0x20

/** Whether the value under a key may name a value beside it: `name` in `{"name": "password", "value": "…"}`, and `type`. */
export const isLabel = (key: string): boolean =>
  (lastOf(key) === letterE || lastOf(key) === letterY) && label.test(key.slice(-maxNameLength))

/**
 * Returns the label of an object, of which `known` is the label so far, after its member `key` (`isLabel`) with this text: the one that
 * promises more. Undefined where neither promises a secret. A `type` is that of a form's field: only `password` promises one. `judge`:
 * `sensitivityOf`, perhaps cached.
 */
export function strongerLabel(
  known: string | undefined,
  key: string,
  text: string,
  judge: (name: string) => Sensitivity,
): string | undefined {
  const promise = judge(text)
  if (promise === 'no' || !promisesMore(promise, known === undefined ? 'no' : judge(known))) return known
  return /^type$/i.test(key) && !/^password$/i.test(text) ? known : text
}

/** Returns the text that names a value beside it, as `password` in `{"name": "password", "value": "…"}`: the one that promises most. */
export function findLabel(
  members: readonly [unknown, unknown][],
  judge: (name: string) => Sensitivity,
): string | undefined {
  let label: string | undefined
  for (const [key, text] of members) {
    const name = String(key)
    if (typeof text === 'string' && isLabel(name)) label = strongerLabel(label, name, text, judge)
  }
  return label
}

/** Whether the value under a key is the one that a label beside it names. */
export const isLabelled = (key: string): boolean => lastOf(key) === letterE && labelled.test(key.slice(-maxNameLength))

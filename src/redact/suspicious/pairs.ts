// Finds the places in a text at which a secret may be, by pairs of bytes and the byte behind each.
import { endsBefore, mayEndPrefix } from '../known-keys.ts'
import { isAsciiLetter } from './bytes.ts'

const digits = '0123456789'
const hexDigits = `${digits}abcdefABCDEF`
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const wordBytes = `${digits}_-${capitals}${capitals.toLowerCase()}`
const blanks = ' \t\n\v\f\r'
const all = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')
const wide = all.slice(128)

/** The possible first, second and third bytes of a place. Without third bytes, what precedes the pair decides (`isPlace`). */
type Line = readonly [first: string, second: string, third: string]

/** Two digits that no third one follows matter only in a bank account number. */
const twoDigits: Line = [digits, digits, `${digits}.eE`]
/** Where the prefix of a known key may end. Sentences contain more stops than other separators. */
const prefixEnds: readonly Line[] = [
  [endsBefore('-_'), '-_', ''],
  [endsBefore('.'), '.', ''],
]
/** Behind a word that names of secrets contain, any colon may follow such a name. */
const anyColon: Line = [':', all, all]

/** Signs, and rare groups of letters from the words that announce secrets. At most 31 lines. Similar ones are joined. */
const lines: readonly Line[] = [
  twoDigits,
  ...prefixEnds,
  // Numbers with an exponent; addresses.
  [digits, '.eE', `${digits}+-`],
  [':', `:${hexDigits}`, all],
  ['@', all, all],
  // Encoded signs, phone numbers; parameters of URLs: key, sig, signature, auth.
  ['%+', digits, all],
  ['?&', 'kKsSaA', all],
  ['\\', 'u', hexDigits],
  // github_pat_, ghp_
  ['hg', 'uh', 'bpousr'],
  // value, cookie
  ['lLkK', 'uUiI', 'eE'],
  // key, token, docker; sk-, rk_
  ['kK', 'eE', 'yYnNrR'],
  ['kK', '-_', all],
  // password, passphrase, sshpass, pwd; dapi
  ['pP', 'aAwW', 'sSdD'],
  ['p', 'i', hexDigits],
  // secret, credential, curl; basic
  ['cC', 'rRu', 'eEr'],
  ['cC', `${blanks}\\${wide}`, all],
  // bearer, form-data; identified by
  ['bB-', 'eEdD', 'aA'],
  ['bB', 'yY', `${blanks}\\`],
  // authorization, AIza
  ['zZ', 'aA', wordBytes],
  // redis-cli
  ['-', 'c', 'l'],
  // eyJ; AKIA, ASIA
  ['J', wordBytes, wordBytes],
  ['I', 'A', `${capitals}${digits}`],
  // mariadb, mysql; xoxb-
  ['dq', 'bl', all],
  ['x', 'o', 'x'],
  // connection_string; ConnectionString
  ['nN', '-_.', 'sS'],
  ['n', 'S', 'tT'],
  // hooks.slack.com, webhook.office.com
  ['sk', '.', 'so'],
  anyColon,
]

/** Returns for each byte, as bits, the lines that have it at this place of the three. Small tables stay in the cache of the processor. */
const makeTable = (place: 0 | 1 | 2): Readonly<Int32Array> => {
  const table = new Int32Array(256)
  for (const [nth, line] of lines.entries()) {
    for (const character of line[place]) {
      const byte = character.charCodeAt(0)
      table[byte] = (table[byte] as number) | (1 << nth)
    }
  }
  return table
}

const bitOf = (line: Line): number => 1 << lines.indexOf(line)

const [firsts, seconds, thirds] = [makeTable(0), makeTable(1), makeTable(2)]
const twoDigitsBit = bitOf(twoDigits)
const prefixBits = prefixEnds.reduce((bits, line) => bits | bitOf(line), 0)

/** The lines that are looked for everywhere, and behind a word that names of secrets contain. */
export const always = bitOf(anyColon) - 1
export const behindWord = always | bitOf(anyColon)

/**
 * Returns the next index from `from` on at which a pair of one of the lines begins; `last`, the index of the last byte, if none does. `which`:
 * `always` or `behindWord`. The hot loop: it calls no function, so that V8 inlines it.
 */
export function findPair(bytes: Uint8Array, from: number, last: number, which: number): number {
  let first = (firsts[bytes[from] as number] as number) & which
  for (let i = from; i < last; i++) {
    const second = bytes[i + 1] as number
    if ((first & (seconds[second] as number)) !== 0) return i
    first = (firsts[second] as number) & which
  }
  return last
}

/** Whether the pair at `i` has one of the third bytes of its lines, or follows what its lines require before it. Rules out most pairs. */
export function isPlace(bytes: Uint8Array, i: number): boolean {
  const found = (firsts[bytes[i] as number] as number) & (seconds[bytes[i + 1] as number] as number)
  // Some lines need no third byte.
  if (i + 2 >= bytes.length || (found & (thirds[bytes[i + 2] as number] as number)) !== 0) return true
  if ((found & twoDigitsBit) !== 0) return isAsciiLetter(bytes[i - 1]) && isAsciiLetter(bytes[i - 2])
  return (found & prefixBits) !== 0 && mayEndPrefix(bytes, i + 1)
}

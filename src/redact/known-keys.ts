// Finds keys and tokens with a known prefix anywhere in a text, also after a dash or inside a word.
import type { TextRange } from './place.ts'
import { areRandomBytes, isRandomText } from './random-run.ts'

/**
 * The characters of a key after its prefix. `plain`: letters and digits; `word`: also `_` and `-`; `any`: also `.`, `=`, `~` and `+`. JSON
 * escapes none of them.
 */
type Body = 'plain' | 'word' | 'any'

type KeyForm = { readonly prefix: string; readonly body: Body; readonly least: number }

const form = (body: Body, least: number, prefixes: string): KeyForm[] =>
  prefixes.split(/\s+/).map((prefix) => ({ prefix, body, least }))

/** Each prefix ends in `-`, `_` or `.`, by which it is found. Most are facts from the rules that gitleaks publishes. */
const forms: readonly KeyForm[] = [
  ...form('word', 20, 'tw_sk_ tw_rt_ tw_inv_ tw_pr_ tw_dv_'),
  ...form(
    'word',
    16,
    'sk-proj- sk-ant- sk-svcacct- sk-admin- sk-or-v1- sk-lf- sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_',
  ),
  ...form('any', 20, 'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glffct- glimt- glrtr-'),
  ...form('plain', 30, 'npm_ hf_ api_org_ gsk_ glc_ rdme_ ntn_ pnu_ lin_api_ pplx- ico-'),
  ...form('plain', 37, 'r8_'),
  ...form('plain', 60, 'xai-'),
  ...form('word', 24, 'tvly-'),
  ...form('word', 32, 'lsv2_pt_ lsv2_sk_'),
  ...form('word', 40, 'pypi- v1.0-'),
  ...form('plain', 40, 'ops_'),
  ...form('word', 32, 'A3-'),
  ...form('any', 40, 'SG. ya29.'),
  ...form('word', 20, 'GOCSPX- hvs. hvb. hvr. sq0atp- sq0csp- xapp-'),
  ...form('plain', 32, 'p8e- shpat_ shpca_ shppa_ shpss_ doo_v1_ dop_v1_ dor_v1_ pul- CLOJARS_ rubygems_ sntryu_ sgp_'),
  ...form('word', 32, 'glsa_ sntrys_ fo1_ fm1a_ fm1r_ fm2_ fio-u- tk-us- xkeysib- dnkey-'),
  ...form(
    'word',
    32,
    'pscale_tkn_ pscale_oauth_ pscale_pw_ duffel_live_ duffel_test_ bedrock-api-key- PMAK- HRKU- tfp_',
  ),
  ...form('plain', 16, 'sm_aat_ sm_pat_ sm_sat_ lob_live_ lob_test_ NRAK- NRII- NRJS- FLWSECK_TEST- FLWPUBK_TEST-'),
  ...form('plain', 12, 'FLWSECK_TEST-'),
  ...form('plain', 26, 'API- key- pubkey- shippo_live_ shippo_test_ dp.pt. s-s4t2ud- s-s4t2af-'),
  ...form('plain', 24, 'AGE-SECRET-KEY- dt0c01.'),
  ...form('word', 36, 'access-sandbox- access-development- access-production-'),
]

/** Whether the prefix of a key may end with this character. */
export const isSeparator = (code: number): boolean => code === 0x2d || code === 0x5f || code === 0x2e

function makeBodyCodes(): Readonly<Record<Body, Uint8Array>> {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const of = (characters: string): Uint8Array => {
    const codes = new Uint8Array(256)
    for (const character of characters) codes[character.charCodeAt(0)] = 1
    return codes
  }
  return { plain: of(letters), word: of(`${letters}_-`), any: of(`${letters}_-.=~+`) }
}

const bodies = makeBodyCodes()
const [noCode, tableSize] = [0, 4_096]

/** Hashes the last three characters of a prefix, so that one look-up rules out most separators of a text. */
const slotOf = (first: number, second: number, last: number): number =>
  ((first * 33 + second) * 33 + last) & (tableSize - 1)

function makeTable(): readonly (readonly KeyForm[] | undefined)[] {
  const table: KeyForm[][] = []
  for (const given of forms) {
    const codes = Array.from(given.prefix, (character) => character.charCodeAt(0))
    const slot = slotOf(codes.at(-3) ?? noCode, codes.at(-2) ?? noCode, codes.at(-1) ?? noCode)
    table[slot] = [...(table[slot] ?? []), given]
  }
  return Array.from({ length: tableSize }, (_, slot) => table[slot])
}

const table = makeTable()
/** 1 for each slot of `table` that is used: the look-up that rules out most separators. */
const isTaken: Readonly<Uint8Array> = Uint8Array.from(table, (found) => (found === undefined ? 0 : 1))

/** Returns the characters before the separator in the prefixes that end with one of these. By such pairs, `findPair` finds keys. */
export const endsBefore = (separators: string): string =>
  forms.map(({ prefix }) => (separators.includes(prefix.slice(-1)) ? prefix.slice(-2, -1) : '')).join('')

/** A text or its bytes. Not a function that reads a character: it would be created for each separator, in the hot loop. */
type Source = string | Uint8Array

const codeAt = (source: Source, at: number): number =>
  typeof source === 'string' ? source.charCodeAt(at) : (source[at] as number)

function isForm({ prefix, body, least }: KeyForm, source: Source, start: number, length: number): boolean {
  if (start < 0 || start + prefix.length + least > length) return false
  for (let nth = 0; nth < prefix.length; nth++) {
    if (codeAt(source, start + nth) !== prefix.charCodeAt(nth)) return false
  }
  const codes = bodies[body]
  const first = start + prefix.length
  for (let at = first; at < first + least; at++) if (codes[codeAt(source, at)] !== 1) return false
  // Text with signs in it may be a path or a name in code, so it must look random as well.
  if (body === 'plain') return true
  const last = first + least
  return typeof source === 'string' ? isRandomText(source, first, last) : areRandomBytes(source, first, last)
}

/** Returns the form of the key whose prefix ends with the separator at `at`. */
function findForm(source: Source, at: number, length: number, start: number): KeyForm | undefined {
  if (at - 2 < start) return undefined
  const found = table[slotOf(codeAt(source, at - 2), codeAt(source, at - 1), codeAt(source, at))]
  if (found === undefined) return undefined
  for (const given of found) {
    const first = at + 1 - given.prefix.length
    if (first >= start && isForm(given, source, first, length)) return given
  }
  return undefined
}

/** Whether the separator at `at` may end the prefix of a key: rules out most separators. */
export const mayEndPrefix = (bytes: Uint8Array, at: number): boolean =>
  isTaken[slotOf(bytes[at - 2] as number, bytes[at - 1] as number, bytes[at] as number)] === 1

/** Whether the separator at `at` ends the prefix of a key. */
export function isKnownKey(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  if (!mayEndPrefix(bytes, at)) return false
  return findForm(bytes, at, end, start) !== undefined
}

/** Returns the first key at or after `from`, or null. Linear: at each separator, at most the shortest key of each form is read. */
export function findKnownKey(text: string, from: number): TextRange | null {
  for (let at = from; at < text.length; at++) {
    const last = text.charCodeAt(at)
    if (!isSeparator(last) || isTaken[slotOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), last)] === 0) continue
    const found = findForm(text, at, text.length, from)
    if (found === undefined) continue
    const codes = bodies[found.body]
    let end = at + 1 + found.least
    while (codes[text.charCodeAt(end)] === 1) end++
    return { start: at + 1 - found.prefix.length, end }
  }
  return null
}

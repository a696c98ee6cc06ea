// The patterns of secrets and personal identifiers in text. They take linear time: a run of characters is matched only from its start.
import { isIPv6 } from 'node:net'
import { isCardNumber } from './check-digits.ts'
import { findIban } from './find-iban.ts'
import { endsBefore, findKnownKey } from './known-keys.ts'
import { anyPair, byRegExp, digits, eachPair, has, inAnyCase, letters, type Pattern, startOf, word } from './pattern.ts'
import type { TextRange } from './place.ts'
import { findPrivateKey, mayHoldPrivateKey } from './private-key.ts'
import { endOfRun, isRandomText, leastApiKey, mostLooked } from './random-run.ts'
import { secretPatterns } from './secret-patterns.ts'

/** Consecutive digits, or groups as printed on cards: 4-4-4-4, 4-4-4-4-3, 4-4-4-1, 4-6-5, 4-6-4. */
const cardStart = new RegExp(
  String.raw`${startOf('\\w.')}[2-6]\d{3}(?:([ -])(?:\d{4}\1\d{4}\1(?:\d{4}(?:\1\d{3})?|\d)|\d{6}\1\d{4,5})|\d{9,15})(?!\d|\.\d)`,
  'g',
)

/** Tokens of Grafana have no dots. */
const dotless = /^eyJrIjoi.{32}/
const webTokenHead = /eyJ[\w-]{8,}/g
const webTokenTail = /(?:\.[\w-]*){2,4}/y

/** Finds `eyJ….….…`. A run of its characters that no dots follow is skipped as a whole. */
function findWebToken(text: string, from: number): TextRange | null {
  webTokenHead.lastIndex = from
  for (let head = webTokenHead.exec(text); head !== null; head = webTokenHead.exec(text)) {
    webTokenTail.lastIndex = webTokenHead.lastIndex
    if (dotless.test(head[0])) return { start: head.index, end: webTokenHead.lastIndex }
    if (webTokenTail.test(text)) return { start: head.index, end: webTokenTail.lastIndex }
  }
  return null
}

/** Latin, Greek and Cyrillic letters beyond ASCII, which addresses may contain. */
const wideLetters = '\\u00c0-\\u052f'
const localPart = new RegExp(`[\\w.%+${wideLetters}-]`)
const label = `[A-Za-z0-9${wideLetters}-]{1,63}`
const mailDomain = new RegExp(`${label}(?:\\.${label}){0,8}\\.[A-Za-z${wideLetters}]{2,63}`, 'y')
/** The sign, also as it is encoded in URLs. */
const mailSign = /@|%40/g

/** Finds an e-mail address, from its `@` in both directions. */
function findEmail(text: string, from: number): TextRange | null {
  mailSign.lastIndex = from
  for (let sign = mailSign.exec(text); sign !== null; sign = mailSign.exec(text)) {
    const at = sign.index
    mailDomain.lastIndex = mailSign.lastIndex
    if (!mailDomain.test(text)) continue
    let start = at
    while (start > from && at - start < 64 && localPart.test(text[start - 1] ?? '')) start--
    if (text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '')) start++
    if (start < at) return { start, end: mailDomain.lastIndex }
  }
  return null
}

/** Finds a card number, alone or followed by a group of three more digits. */
function findCard(text: string, from: number): TextRange | null {
  cardStart.lastIndex = from
  for (let match = cardStart.exec(text); match !== null; match = cardStart.exec(text)) {
    const [row, mark = ''] = match
    const shorter = mark === '' ? '' : row.slice(0, row.lastIndexOf(mark))
    const card = [row, shorter].find(isCardNumber)
    if (card !== undefined) return { start: match.index, end: match.index + card.length }
    cardStart.lastIndex = match.index + 4
  }
  return null
}

const address6 = new RegExp(
  `${startOf('\\w:.')}(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|\\d{1,3}(?:\\.\\d{1,3}){3})?(?![\\w:])`,
  'iy',
)
const twoColons = /:[0-9a-f]{0,4}:/gi
const rowOfColons = /[0-9a-f:]+/iy
const hexDigit = /[0-9a-f]/i
const maxGroup = 4
const minAddress6 = '1::2:3'.length

/** Finds an IPv6 address of at least three groups, so that `a::b` in code does not match. Starts at its first two colons. */
function findAddress6(text: string, from: number): TextRange | null {
  twoColons.lastIndex = from
  for (let match = twoColons.exec(text); match !== null; match = twoColons.exec(text)) {
    let start = match.index
    while (start > from && match.index - start < maxGroup && hexDigit.test(text[start - 1] ?? '')) start--
    rowOfColons.lastIndex = start
    // The next address can only begin after this whole run.
    twoColons.lastIndex = start + (rowOfColons.exec(text)?.[0].length ?? 1)
    if (twoColons.lastIndex - start < minAddress6) continue
    address6.lastIndex = start
    const row = address6.exec(text)?.[0] ?? ''
    const groups = row.split(':').filter((group) => group !== '')
    if (groups.length > 2 && isIPv6(row)) return { start, end: start + row.length }
  }
  return null
}

const apiKeyBegin = new RegExp(`${startOf('A-Za-z0-9')}(?:sk|rk)[-_]`, 'g')
const apiKeyTail = /[\w-]*/y

/** Finds `sk-…` and `rk_…`. */
function findApiKey(text: string, from: number): TextRange | null {
  apiKeyBegin.lastIndex = from
  for (let begin = apiKeyBegin.exec(text); begin !== null; begin = apiKeyBegin.exec(text)) {
    const body = apiKeyBegin.lastIndex
    const looked = endOfRun(text, body, Math.min(text.length, body + mostLooked))
    if (looked - body < leastApiKey || !isRandomText(text, body, looked)) continue
    apiKeyTail.lastIndex = looked
    apiKeyTail.test(text)
    return { start: begin.index, end: apiKeyTail.lastIndex }
  }
  return null
}

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'

/** Secrets come before identifiers: what an earlier pattern replaced is not matched again. */
export const patterns: readonly Pattern[] = [
  { kind: 'private_key', pairs: [['IV']], mayMatch: mayHoldPrivateKey, find: findPrivateKey },
  {
    kind: 'api_key',
    pairs: [[...eachPair(endsBefore('-_'), '-_'), ...eachPair(endsBefore('.'), '.')]],
    mayMatch: (text) => findKnownKey(text, 0) !== null,
    find: findKnownKey,
  },
  { kind: 'jwt', pairs: [['yJ']], mayMatch: has('eyJ'), find: findWebToken },
  {
    kind: 'api_key',
    pairs: [['k-', 'k_']],
    mayMatch: has('sk-', 'sk_', 'rk_'),
    find: findApiKey,
  },
  {
    kind: 'aws_key',
    pairs: [['IA']],
    mayMatch: has('AKIA', 'ASIA'),
    find: byRegExp('A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])'),
  },
  {
    kind: 'github_token',
    pairs: [eachPair('pousrt', '_')],
    mayMatch: has('ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'),
    find: byRegExp('gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}'),
  },
  { kind: 'databricks_key', pairs: [['pi']], mayMatch: has('dapi'), find: byRegExp('dapi[0-9a-f]{32}') },
  {
    kind: 'webhook',
    pairs: [['s.', 'k.']],
    mayMatch: has('hooks.slack.com', 'webhook.office.com'),
    find: byRegExp(
      String.raw`(?:hooks\.slack\.com\/(?:services|workflows|triggers)|webhook\.office\.com\/webhookb2)\/(?<value>[\w/+@-]{20,})`,
    ),
  },
  { kind: 'google_key', pairs: [['Iz']], mayMatch: has('AIza'), find: byRegExp('AIza[\\w-]{35}') },
  { kind: 'slack_token', pairs: [['xo']], mayMatch: has('xox'), find: byRegExp('xox[abeoprs]-[A-Za-z0-9-]{10,250}') },
  {
    kind: 'bearer',
    pairs: [inAnyCase('be', 'ba')],
    mayMatch: (text) => /bearer|basic/i.test(text),
    find: byRegExp(`${word}(?:bearer|basic)\\s{1,4}(?<value>(?=[A-Za-z+/._~-]*[\\d=])[\\w+/=.~-]{8,})`, 'i'),
  },
  {
    kind: 'url_password',
    pairs: [['//']],
    mayMatch: has('://'),
    find: byRegExp(String.raw`:\/\/[^\s/:@]{0,128}:(?!\[redacted:)(?<value>[^\s/"]{1,256})@`),
  },
  ...secretPatterns,
  {
    kind: 'email',
    pairs: [[...anyPair('@'), '%4']],
    mayMatch: has('@', '%40'),
    find: findEmail,
  },
  {
    kind: 'phone',
    // The plus sign may be encoded as in URLs.
    pairs: [[...anyPair('+'), '%2']],
    mayMatch: has('+', '%2B', '%2b'),
    find: byRegExp(String.raw`(?:(?:(?<![\w+])|(?<=\\[nrt]))\+|%2[Bb])[1-9](?:(?:[ ().-]|%20){0,2}\d){7,14}(?!\d)`),
  },
  {
    kind: 'iban',
    pairs: [eachPair(letters, digits)],
    mayMatch: (text) => /[A-Z]{2}\d{2}[ -]?[A-Z0-9]{4}/i.test(text),
    find: findIban,
  },
  { kind: 'card', pairs: [eachPair(digits, digits)], mayMatch: (text) => /\d{3}[ -]?\d{3}/.test(text), find: findCard },
  {
    kind: 'ip',
    pairs: [eachPair(digits, '.')],
    mayMatch: (text) => /\d\.\d{1,3}\./.test(text),
    find: byRegExp(`${startOf('\\w.')}${octet}(?:\\.${octet}){3}(?![\\w]|\\.\\d)`),
  },
  {
    kind: 'ip',
    pairs: [eachPair(':', `:${digits}abcdefABCDEF`)],
    mayMatch: (text) => /:[0-9a-fA-F]{0,4}:/.test(text),
    find: findAddress6,
  },
]

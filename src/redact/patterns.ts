// The patterns of secrets and personal identifiers in text. They take linear time: a run of characters is matched only from its start.
import { isIPv6 } from 'node:net'
import { isCardNumber } from './check-digits.ts'
import { findIban } from './find-iban.ts'
import { findKnownKey } from './known-keys.ts'
import type { TextRange } from './place.ts'
import { findPrivateKey, mayHoldPrivateKey } from './private-key.ts'
import { endOfRun, isRandomText, leastApiKey, mostLooked } from './random-run.ts'
import { secretNameSource } from './sensitive-keys.ts'

export type Pattern = {
  readonly kind: string
  /** A cheap check: false if the text cannot contain a match. */
  readonly mayMatch: (text: string) => boolean
  /** Returns the first match at or after `from`, or null. */
  readonly find: (text: string, from: number) => TextRange | null
}

/** A regular expression for the start of a run of these characters, also after an escaped line break, as in JSON inside text. */
const startOf = (run: string): string => `(?:(?<![${run}])(?!(?<=\\\\)[nrt])|(?<=\\\\[nrt]))`

const has =
  (...parts: readonly string[]) =>
  (text: string): boolean =>
    parts.some((part) => text.includes(part))

/** Finds the match of a regular expression or, if it has a group `value`, the last occurrence of that value in the match. */
function byRegExp(source: string, flags = ''): Pattern['find'] {
  const expression = new RegExp(source, `g${flags}`)
  return (text, from) => {
    expression.lastIndex = from
    const match = expression.exec(text)
    if (match === null) return null
    const value = match.groups?.['value'] ?? match[0]
    const start = match.index + match[0].lastIndexOf(value)
    return { start, end: start + value.length }
  }
}

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

const word = startOf('\\w-')
/**
 * The text between a command and one of its options. It must not contain the end of the line (in JSON: its escape) or of the command. A
 * backslash before the end of the line joins the next line.
 */
const someOptions = String.raw`(?:\s(?:[^\r\n|;&\\]|\\(?![nr])|\\\r?\n|(?<=\\\\)(?:\\r)?\\n){0,256}?)?`
const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'

/** A value in quotes, which may be escaped several times, or a word. */
const valueOf = (leastWord: number): string =>
  String.raw`(?:\\{1,3}["'](?<value>[^"'\\]+)|"(?=[^"])(?<value>[^"\\]*(?:\\.[^"\\]*)*)` +
  String.raw`|'(?=[^'])(?<value>[^'\\]*(?:\\.[^'\\]*)*)|(?<value>[^\s"'\\,;<>(){}[\]&]{${leastWord},}))`
const mayNameSecret = (text: string): boolean => /[_-]pass|pass[wp]|pwd|secret|token|key|authoriz|cookie/i.test(text)

/** Secrets come before identifiers: what an earlier pattern replaced is not matched again. */
export const patterns: readonly Pattern[] = [
  { kind: 'private_key', mayMatch: mayHoldPrivateKey, find: findPrivateKey },
  { kind: 'api_key', mayMatch: (text) => findKnownKey(text, 0) !== null, find: findKnownKey },
  { kind: 'jwt', mayMatch: has('eyJ'), find: findWebToken },
  {
    kind: 'api_key',
    mayMatch: has('sk-', 'sk_', 'rk_'),
    find: findApiKey,
  },
  {
    kind: 'aws_key',
    mayMatch: has('AKIA', 'ASIA'),
    find: byRegExp('A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])'),
  },
  {
    kind: 'github_token',
    mayMatch: has('ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'),
    find: byRegExp('gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}'),
  },
  { kind: 'databricks_key', mayMatch: has('dapi'), find: byRegExp('dapi[0-9a-f]{32}') },
  {
    kind: 'webhook',
    mayMatch: has('hooks.slack.com', 'webhook.office.com'),
    find: byRegExp(
      String.raw`(?:hooks\.slack\.com\/(?:services|workflows|triggers)|webhook\.office\.com\/webhookb2)\/(?<value>[\w/+@-]{20,})`,
    ),
  },
  { kind: 'google_key', mayMatch: has('AIza'), find: byRegExp('AIza[\\w-]{35}') },
  { kind: 'slack_token', mayMatch: has('xox'), find: byRegExp('xox[abeoprs]-[A-Za-z0-9-]{10,250}') },
  {
    kind: 'bearer',
    mayMatch: (text) => /bearer|basic/i.test(text),
    find: byRegExp(`${word}(?:bearer|basic)\\s{1,4}(?<value>(?=[A-Za-z+/._~-]*[\\d=])[\\w+/=.~-]{8,})`, 'i'),
  },
  {
    kind: 'url_password',
    mayMatch: has('://'),
    find: byRegExp(String.raw`:\/\/[^\s/:@]{0,128}:(?!\[redacted:)(?<value>[^\s/"]{1,256})@`),
  },
  {
    kind: 'secret',
    mayMatch: (text) => /cookie|authorization/i.test(text),
    find: byRegExp(
      String.raw`(?:cookie|authorization)(?<!\[redacted:\w{0,30})\s{0,4}:\s{1,4}(?!\[redacted:|bearer\b|basic\b)(?<value>[^\r\n"'\\]{4,})`,
      'i',
    ),
  },
  {
    kind: 'secret',
    mayMatch: mayNameSecret,
    find: byRegExp(
      String.raw`${secretNameSource}(?<!\[redacted:\w{0,30})(?:\\{0,3}["'])?\s{0,8}[:=]\s{0,8}(?!\\{0,3}["']?(?:\[redacted:|bearer\b|basic\b))${valueOf(6)}`,
      'i',
    ),
  },
  {
    // {'name': 'password', 'value': '…'} in text that is not JSON.
    kind: 'secret',
    mayMatch: (text) => /value/i.test(text) && mayNameSecret(text),
    find: byRegExp(
      String.raw`(?:name|key)\\{0,3}["']\s{0,8}:\s{0,8}\\{0,3}["'][\w .-]{0,64}?${secretNameSource}\\{0,3}["']\s{0,8},\s{0,8}` +
        String.raw`\\{0,3}["']\w{0,32}value\\{0,3}["']\s{0,8}:\s{0,8}(?!\\{0,3}["']?\[redacted:)${valueOf(1)}`,
      'i',
    ),
  },
  {
    kind: 'secret',
    mayMatch: (text) => text.includes('>') && mayNameSecret(text),
    find: byRegExp(
      String.raw`<[\w.:-]{0,64}?${secretNameSource}>(?!\[redacted:)(?<value>(?<=(?:pass(?:word|wd|phrase)?|pwd)>)[^<>]{1,1024}|[^<>\s]{6,1024})<`,
      'i',
    ),
  },
  {
    kind: 'secret',
    mayMatch: (text) => /pass|pwd/i.test(text),
    find: byRegExp(
      String.raw`(?:password|passwd|passphrase|pwd|[_-]pass)=(?!(?:none|null|true|false|nil)\b)(?<value>[^\s"'\\,;<>(){}[\]&=]{1,5})(?=[\s"'\\,;&]|$)`,
      'i',
    ),
  },
  {
    kind: 'secret',
    mayMatch: has('--'),
    find: byRegExp(
      String.raw`${word}--[a-z-]{0,32}(?:password|passwd|passphrase|secret|token|api-?key|access-?key)[ \t]{1,4}(?!-)\\{0,3}["']?(?!\[redacted:)(?<value>[^\s"'\\]{1,512})`,
      'i',
    ),
  },
  {
    kind: 'secret',
    mayMatch: has('curl'),
    find: byRegExp(
      String.raw`(?<=\s)(?:-u|--user)(?:\s{1,4}|=)\\{0,3}["']?[^\s:"'\\]{1,128}:(?!\[redacted:)(?<value>[^\s"'\\]{1,256})`,
    ),
  },
  {
    kind: 'secret',
    mayMatch: has('mysql', 'mariadb', 'sshpass', 'redis-cli', 'docker login'),
    find: byRegExp(
      String.raw`(?:(?:mysql|mariadb)[a-z_-]{0,16}${someOptions}\s-p|sshpass\s{1,4}-p\s{0,4}|redis-cli${someOptions}\s(?:-a|--pass)\s{1,4}|docker login${someOptions}\s-p\s{1,4})(?!\\{0,3}["']?\[redacted:)\\{0,3}["']?(?<value>[^\s"'\\]{1,256})`,
    ),
  },
  {
    kind: 'secret',
    mayMatch: has('?', '&'),
    find: byRegExp(
      String.raw`[?&](?:key|sig|signature|auth)=(?!\[redacted:)(?=[^\s&#"'\\]{0,32}\d)(?<value>[^\s&#"'\\]{8,1024})`,
      'i',
    ),
  },
  {
    kind: 'email',
    mayMatch: has('@', '%40'),
    find: findEmail,
  },
  {
    kind: 'phone',
    // The plus sign may be encoded as in URLs.
    mayMatch: has('+', '%2B', '%2b'),
    find: byRegExp(String.raw`(?:(?:(?<![\w+])|(?<=\\[nrt]))\+|%2[Bb])[1-9](?:(?:[ ().-]|%20){0,2}\d){7,14}(?!\d)`),
  },
  { kind: 'iban', mayMatch: (text) => /[A-Z]{2}\d{2}[ -]?[A-Z0-9]{4}/i.test(text), find: findIban },
  { kind: 'card', mayMatch: (text) => /\d{3}[ -]?\d{3}/.test(text), find: findCard },
  {
    kind: 'ip',
    mayMatch: (text) => /\d\.\d{1,3}\./.test(text),
    find: byRegExp(`${startOf('\\w.')}${octet}(?:\\.${octet}){3}(?![\\w]|\\.\\d)`),
  },
  { kind: 'ip', mayMatch: (text) => /:[0-9a-fA-F]{0,4}:/.test(text), find: findAddress6 },
]

// The patterns of secrets that the text around them announces: by a name, an option of a command or an element.
import { findFormField } from './find-form-field.ts'
import { anyPair, byRegExp, has, inAnyCase, type Pattern, startOf, word } from './pattern.ts'
import {
  behindNameSource,
  codeNameSource,
  codeSource,
  notCountSource,
  quotedNameSource,
  secretNameSource,
} from './sensitive-keys.ts'

/**
 * The text between a command and one of its options. It must not contain the end of the line (in JSON: its escape) or of the command. A
 * backslash before the end of the line joins the next line.
 */
const someOptions = String.raw`(?:\s(?:[^\r\n|;&\\]|\\(?![nr])|\\\r?\n|(?<=\\\\)(?:\\r)?\\n){0,256}?)?`

/** A value in quotes, which may be escaped several times, or a word. */
const valueOf = (leastWord: number): string =>
  String.raw`(?:\\{1,3}["'](?<value>[^"'\\]+)|"(?=[^"])(?<value>[^"\\]*(?:\\.[^"\\]*)*)` +
  String.raw`|'(?=[^'])(?<value>[^'\\]*(?:\\.[^'\\]*)*)|(?<value>[^\s"'\\,;<>(){}[\]&]{${leastWord},}))`
/** The sign between a name and its value, and the quote before it: as such, as in URLs, or as wide as a Chinese character. */
const equals = '(?:[=＝]|%(?:25){0,2}3d)'
const sign = `(?:${equals}|[:：]|%(?:25){0,2}3a)`
const someQuote = String.raw`(?:\\{0,3}["']|%(?:25){0,2}22)`
const quote = `${someQuote}?`
/** All between a name and its value. */
const assign = String.raw`${quote}\s{0,8}${sign}\s{0,8}`
/** All between the name of a member and its text, of which both are in quotes. */
const toText = String.raw`\\{0,3}["']\s{0,8}:\s{0,8}\\{0,3}["']`
/** A wide sign is also the usual one of Chinese and Japanese prose: `token：该参数…`. */
const notProse = String.raw`(?!(?<=[：＝]\s{0,8})[^\x21-\x7e])`
/** A blank between words of SQL. */
const gap = String.raw`[ \t\r\n]`
/** A text of SQL, which begins as texts in code do that end before a quote: `'no password ' + name`. */
const sqlText =
  String.raw`[NE]?(?!\\{0,3}["'](?:[\s,+)]|\[redacted:))(?:\\{1,3}["'](?<value>[^"'\\]{1,1024})` +
  String.raw`|"(?<value>(?:[^"\\]|\\[^]|""){1,1024})(?:"|$)|'(?<value>(?:[^'\\]|\\[^]|''){1,1024})(?:'|$))`
/** The start of a word, also in a name in camel case or behind an escape of a URL. */
const startOfWord = String.raw`(?:${startOf('A-Za-z0-9')}|(?-i:(?<=[a-z0-9])(?=[A-Z]))|(?<=%(?:25){0,2}[0-9a-f]{2}))`
const mayNameSecret = (text: string): boolean => /[_-]pass|pass[wpc]|pwd|secret|token|key|authoriz|cookie/i.test(text)
/** The pairs of `mayNameSecret`: of `[_-]pass`, `pass[wpc]`, `pwd`, `secret`, `token`, `key`, `authoriz` and `cookie`. */
const namePairs = inAnyCase('_p', '-p', 'ss', 'pw', 'cr', 'ok', 'ke', 'iz', 'ki')

export const secretPatterns: readonly Pattern[] = [
  {
    // SQL: PASSWORD 'x' and = PASSWORD('x')
    kind: 'secret',
    pairs: [inAnyCase('sw')],
    mayMatch: (text) => /password[\s(]/i.test(text),
    find: byRegExp(
      String.raw`password(?:${gap}{1,8}(?=[NE]?\\{0,3}')|(?<=(?:=|using)${gap}{0,8}(?:old_)?password)${gap}{0,8}\(${gap}{0,8})${sqlText}`,
      'i',
    ),
  },
  {
    // SQL: CREATE USER a IDENTIFIED WITH b BY 'x'
    kind: 'secret',
    pairs: [inAnyCase('if')],
    mayMatch: (text) => /identified/i.test(text),
    find: byRegExp(
      String.raw`identified(?<=${word}(?:(?:create|alter|set)${gap}{1,8}(?:user|role)|grant|connect${gap}{1,8}to)\b[^;]{0,256}identified)${gap}{1,8}` +
        String.raw`(?:with${gap}{1,8}[^\s\\]{1,64}${gap}{1,8})?by${gap}{1,8}(?:(?:password|values)${gap}{1,8})?${sqlText}`,
      'i',
    ),
  },
  {
    // Oracle: CREATE USER a IDENTIFIED BY x
    kind: 'secret',
    pairs: [inAnyCase('if')],
    mayMatch: (text) => /identified/i.test(text),
    find: byRegExp(
      String.raw`${word}(?:create|alter)${gap}{1,8}user${gap}{1,8}\S{1,128}${gap}{1,8}identified${gap}{1,8}by${gap}{1,8}(?!(?:values|password)\s|\\{0,3}["']|\[redacted:)(?<value>[^\s;"'\\]{1,128})`,
      'i',
    ),
  },
  {
    kind: 'secret',
    pairs: [inAnyCase('ki', 'iz')],
    mayMatch: (text) => /cookie|authorization/i.test(text),
    find: byRegExp(
      String.raw`(?:cookie|authorization)(?<!\[redacted:\w{0,30})\s{0,4}:\s{1,4}(?!\[redacted:|bearer\b|basic\b)(?<value>[^\r\n"'\\]{4,})`,
      'i',
    ),
  },
  {
    kind: 'secret',
    pairs: [[...namePairs, ...inAnyCase('nn')]],
    mayMatch: (text) => mayNameSecret(text) || /credential|connection[-_]?string/i.test(text),
    find: byRegExp(
      String.raw`(?:${secretNameSource}(?<!\[redacted:\w{0,30})${behindNameSource}${quote}|${quotedNameSource}(?<=["'2][\w.-]{0,64})${behindNameSource}${someQuote}(?!\s{0,8}:\s{0,8}["'](?:same-origin|include|omit)["']))\s{0,8}${sign}\s{0,8}` +
        String.raw`${notProse}${notCountSource(assign)}(?:[NEB](?='))?(?!\\{0,3}["']?(?:\[redacted:|bearer\b|basic\b))${valueOf(6)}`,
      'i',
    ),
  },
  {
    // {'name': 'password', 'value': '…'} in text that is not JSON.
    kind: 'secret',
    pairs: [inAnyCase('lu'), namePairs],
    mayMatch: (text) => /value/i.test(text) && mayNameSecret(text),
    find: byRegExp(
      String.raw`(?:name|key|\btype(?=${toText}password\\{0,3}["']))${toText}[\w .-]{0,64}?${secretNameSource}${behindNameSource}\\{0,3}["']\s{0,8},\s{0,8}` +
        String.raw`\\{0,3}["']\w{0,32}value\\{0,3}["']\s{0,8}:\s{0,8}(?!\\{0,3}["']?\[redacted:)${valueOf(1)}`,
      'i',
    ),
  },
  {
    kind: 'secret',
    pairs: [anyPair('>'), namePairs],
    mayMatch: (text) => text.includes('>') && mayNameSecret(text),
    find: byRegExp(
      String.raw`<[\w.:-]{0,64}?${secretNameSource}>(?!\[redacted:)(?<value>(?<=(?:pass(?:word|wd|phrase|code)?|pwd)>)[^<>]{1,1024}|[^<>\s]{6,1024})<`,
      'i',
    ),
  },
  {
    // pin=1234 and {'name': 'pin', 'value': '1234'}
    kind: 'secret',
    pairs: [inAnyCase('pi', 'ot', 'sn', 'cv', 'fi', 'oc')],
    mayMatch: (text) => /pin|otp|ssn|cv[vc]|verification|social/i.test(text),
    find: byRegExp(
      String.raw`${startOfWord}${codeNameSource}(?:${quote}|(?<=(?:name|key)\\{0,3}["']\s{0,8}:\s{0,8}\\{0,3}["'][\w .-]{0,64})\\{0,3}["']\s{0,8},\s{0,8}` +
        String.raw`\\{0,3}["']\w{0,32}value\\{0,3}["'])${gap}{0,8}${sign}${gap}{0,8}${quote}(?<value>${codeSource})(?![\w-]|[ .]\d)`,
      'i',
    ),
  },
  { kind: 'secret', pairs: [inAnyCase('m-')], mayMatch: (text) => /form-data;/i.test(text), find: findFormField },
  {
    kind: 'secret',
    pairs: [inAnyCase('ss', 'pw')],
    mayMatch: (text) => /pass|pwd/i.test(text),
    find: byRegExp(
      String.raw`(?:password|passwd|passphrase|passcode|pwd|[_-]pass)${behindNameSource}${equals}(?!(?:none|null|true|false|nil)\b)(?<value>[^\s"'\\,;<>(){}[\]&=]{1,5})(?=[\s"'\\,;&]|$)`,
      'i',
    ),
  },
  {
    kind: 'secret',
    pairs: [['--']],
    mayMatch: has('--'),
    find: byRegExp(
      String.raw`${word}--[a-z-]{0,32}(?:password|passwd|passphrase|secret|token|api-?key|access-?key)[ \t]{1,4}(?!-)\\{0,3}["']?(?!\[redacted:)(?<value>[^\s"'\\]{1,512})`,
      'i',
    ),
  },
  {
    kind: 'secret',
    pairs: [['rl']],
    mayMatch: has('curl'),
    find: byRegExp(
      String.raw`(?<=\s)(?:-u|--user)(?:\s{1,4}|=)\\{0,3}["']?[^\s:"'\\]{1,128}:(?!\[redacted:)(?<value>[^\s"'\\]{1,256})`,
    ),
  },
  {
    kind: 'secret',
    pairs: [['ql', 'db', 'hp', '-c', 'ck']],
    mayMatch: has('mysql', 'mariadb', 'sshpass', 'redis-cli', 'docker login'),
    find: byRegExp(
      String.raw`(?:(?:mysql|mariadb)[a-z_-]{0,16}${someOptions}\s-p|sshpass\s{1,4}-p\s{0,4}|redis-cli${someOptions}\s(?:-a|--pass)\s{1,4}|docker login${someOptions}\s-p\s{1,4})(?!\\{0,3}["']?\[redacted:)\\{0,3}["']?(?<value>[^\s"'\\]{1,256})`,
    ),
  },
  {
    kind: 'secret',
    pairs: [anyPair('?&')],
    mayMatch: has('?', '&'),
    find: byRegExp(
      String.raw`[?&](?:key|sig|signature|auth)=(?!\[redacted:)(?=[^\s&#"'\\]{0,32}\d)(?<value>[^\s&#"'\\]{8,1024})`,
      'i',
    ),
  },
]

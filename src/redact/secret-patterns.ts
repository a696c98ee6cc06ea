// The patterns of secrets that the text around them announces: by a name, an option of a command or an element.
import { byRegExp, has, type Pattern, word } from './pattern.ts'
import { secretNameSource } from './sensitive-keys.ts'

/**
 * The text between a command and one of its options. It must not contain the end of the line (in JSON: its escape) or of the command. A
 * backslash before the end of the line joins the next line.
 */
const someOptions = String.raw`(?:\s(?:[^\r\n|;&\\]|\\(?![nr])|\\\r?\n|(?<=\\\\)(?:\\r)?\\n){0,256}?)?`

/** A value in quotes, which may be escaped several times, or a word. */
const valueOf = (leastWord: number): string =>
  String.raw`(?:\\{1,3}["'](?<value>[^"'\\]+)|"(?=[^"])(?<value>[^"\\]*(?:\\.[^"\\]*)*)` +
  String.raw`|'(?=[^'])(?<value>[^'\\]*(?:\\.[^'\\]*)*)|(?<value>[^\s"'\\,;<>(){}[\]&]{${leastWord},}))`
const mayNameSecret = (text: string): boolean => /[_-]pass|pass[wp]|pwd|secret|token|key|authoriz|cookie/i.test(text)

export const secretPatterns: readonly Pattern[] = [
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
]

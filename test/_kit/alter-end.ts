/** A token or cursor with one character near its end changed: never the text that was given, and never only bits that base64url ignores. */
export function alterEnd(token: string): string {
  const at = token.length - 4
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
}

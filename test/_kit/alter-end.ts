/** Returns the token or cursor with one character near its end changed. The change always affects bits that base64url decodes. */
export function alterEnd(token: string): string {
  const at = token.length - 4
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
}

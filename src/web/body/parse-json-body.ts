// Parses JSON bodies strictly as UTF-8 (RFC 8259 section 8.1), whatever charset the content type names.

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string }

// The decoder drops a byte order mark.
const utf8 = new TextDecoder('utf-8', { fatal: true })

// The member __proto__, in each of its spellings: code that copies it into an object changes the object's prototype.
const prototypeMember =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/

/**
 * Returns the value, or the reason why there is none. Bytes that are not UTF-8 are refused: with replacement characters in their place, a
 * name would be stored in a form that no client sent, and different passwords would become equal.
 */
export function parseJsonBody(bytes: Uint8Array): Parsed {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { ok: false, fault: 'the body is not valid UTF-8' }
  }
  if (prototypeMember.test(text)) return { ok: false, fault: 'the body has a member of the name __proto__' }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { ok: false, fault: error.message }
  }
}

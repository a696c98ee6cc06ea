// Cuts a text so that no part of a number, a key or an address is left at its end: what remains of a secret is no longer recognized as one.

/** How far a cut is usually moved back, in characters. */
export const maxStepBack = 1_024

const isBlank = (code: number): boolean => code <= 0x20 || code === 0xa0

/** Capitals, digits and the signs between them: account, card and phone numbers are written in groups of these. */
const isGroupSign = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x28 && code <= 0x2e)

/**
 * Returns the length of the text without its last word, which may be cut, and without the groups of digits or capitals before it. Removes
 * `most` characters where these hold no such place. Never ends inside a code point.
 */
export function stepBack(text: string, most: number): number {
  const least = Math.max(0, text.length - most)
  let blank = -1
  for (let at = text.length - 1; at >= least; at--) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) blank = at
    else if (blank !== -1 && !isGroupSign(code)) return blank
  }
  const code = text.charCodeAt(least)
  return code >= 0xdc00 && code <= 0xdfff ? least - 1 : least
}

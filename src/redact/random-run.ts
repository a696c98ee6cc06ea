// Checks whether the characters after the prefix of a key look random: names in code and paths can have the same prefix.
// Texts and bytes have separate functions: V8 would not optimize one function for both, and a text may consist of prefixes alone.

/** The minimum length of a key after `sk-`, and how many of its characters are checked. */
export const [leastApiKey, mostLooked] = [16, 25]

const [other, digit, capital, small, sign] = [0, 1, 2, 3, 4]
const kindOf: Readonly<Uint8Array> = Uint8Array.from({ length: 65_536 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return digit
  if (code >= 0x41 && code <= 0x5a) return capital
  if (code === 0x2d || code === 0x5f) return sign
  return code >= 0x61 && code <= 0x7a ? small : other
})

/** The minimum of capital and of small letters. 16 random letters have fewer of one kind in 0.4 % of cases. */
const leastOfBoth = 3

const areMixed = (capitals: number, smalls: number): boolean => capitals >= leastOfBoth && smalls >= leastOfBoth

/** Returns the end of the run of letters, digits, `_` and `-`, at most `last`. */
export function endOfRun(text: string, from: number, last: number): number {
  let at = from
  while (at < last && kindOf[text.charCodeAt(at)] !== other) at++
  return at
}

export function endOfByteRun(bytes: Uint8Array, from: number, last: number): number {
  let at = from
  while (at < last && kindOf[bytes[at] as number] !== other) at++
  return at
}

/** Whether there is a digit from `from` to `to`, or the letters are of mixed case. Of random keys of 20 characters 3 % have no digit. */
export function isRandomText(text: string, from: number, to: number): boolean {
  let capitals = 0
  let smalls = 0
  for (let at = from; at < to; at++) {
    const kind = kindOf[text.charCodeAt(at)]
    if (kind === digit) return true
    if (kind === capital) capitals++
    else if (kind === small) smalls++
  }
  return areMixed(capitals, smalls)
}

/** As `isRandomText`, for bytes. */
export function areRandomBytes(bytes: Uint8Array, from: number, to: number): boolean {
  let capitals = 0
  let smalls = 0
  for (let at = from; at < to; at++) {
    const kind = kindOf[bytes[at] as number]
    if (kind === digit) return true
    if (kind === capital) capitals++
    else if (kind === small) smalls++
  }
  return areMixed(capitals, smalls)
}

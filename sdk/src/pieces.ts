// SDK. Splits a text into the pieces by which a quotation of it is recognized: numbers, identifiers and uncommon words.

/** For runs without a digit; a run with a digit counts from two characters on. */
const minWordChars = 5
const shownChars = 64
const words = /[\p{L}\p{N}_]+(?:[.,'’:@/-][\p{L}\p{N}_]+)*/gu
/** Most runs match this and skip the further checks. */
const plainWord = /^[a-z_]+$/
const parts = /[\p{L}\p{N}_]+/gu
const digit = /\p{N}/u
const grouped = /^\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?$/
const decimal = /^\d+(?:\.\d+)?$/
/** The number without the zeros at the end of its fraction. */
const shortest = /^\d+(?:\.\d*[1-9])?/
/** The look-behind lets a match begin at the first backslash only; otherwise a long row of them would be scanned from each one. */
const escapedUnit = /(?<!\\)\\+u([0-9a-f]{4})/gi
/** More combining marks than real text has on one letter (UAX #15, stream-safe text): sorting them takes quadratic time. */
const excessMarks = /(?<=\p{M}{30})\p{M}+/gu
/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]{2,}/gu

const everyday = new Set(
  `about above after again against almost along already although always among another anything around because become been
  before being below better between beyond bring called cannot comes could course details doing during each early either
  else enough error even every everything example false first follow following found from further general getting given
  gives going great group having hello helps here herself himself however human inside instead itself large later least less
  level likely list little longer looking made make makes making many maybe means might more most much must name need needs
  never next nothing null number often okay only order other others ours over part parts perhaps place please point possible
  present problem provide question quite rather really result results right same second seems several shall should show
  shows similar simple since small some something soon start state status still string such sure system take takes than
  thank that their them then there therefore these they thing things think third this those though three through time times
  today together toward true trying turn type under undefined unless until upon used user users using usually value values
  very want wants well were what when where whether which while whole whose will with within without work would write years
  your yours yourself`.split(/\s+/),
)

/** Returns the distinct pieces of the first `maxChars` of the text, in lower case. Cost: about 0.03 µs a character of English. */
export function piecesOf(text: string, maxChars: number): Set<string> {
  const found = new Set<string>()
  const seen = text.length > maxChars ? text.slice(0, maxChars) : text
  for (const run of unescape(seen).replace(excessMarks, '').toLowerCase().normalize('NFC').match(words) ?? []) {
    if (plainWord.test(run)) {
      if (run.length >= minWordChars && !everyday.has(run)) found.add(run.slice(0, shownChars))
      continue
    }
    addPiece(found, asNumber(run) ?? run)
    // A part may be quoted without the rest: the host of an address, the day of a date.
    for (const part of run.match(parts) ?? []) if (part.length < run.length) addPiece(found, asNumber(part) ?? part)
    for (const script of run.match(unspaced) ?? []) {
      for (let at = 0; at + 2 <= script.length; at++) found.add(script.slice(at, at + 2))
    }
  }
  return found
}

/** Replaces the escapes of JSON inside the text, so that the `n` of an escaped line break does not become part of the next word. */
const unescape = (text: string): string =>
  text.includes('\\')
    ? text
        .replace(escapedUnit, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replace(/\\+[nrtbf]?/g, ' ')
    : text

function addPiece(found: Set<string>, piece: string): void {
  const isTelling = digit.test(piece) ? piece.length >= 2 : piece.length >= minWordChars && !everyday.has(piece)
  if (isTelling) found.add(piece.slice(0, shownChars))
}

/** Returns one spelling for `1,234.50`, `1234.5` and `1234.50`; null where the run is no such number. */
function asNumber(run: string): string | null {
  const plain = grouped.test(run) ? run.replace(/[,'’]/g, '') : run
  return decimal.test(plain) ? (shortest.exec(plain)?.[0] ?? null) : null
}

// Detects text that can be mistaken for other text: letters of several scripts in one word, letters that look like Latin ones,
// compatibility forms of letters, loose marks, and invisible characters. Follows UTS 39, level "highly restrictive", with the
// scripts that UAX 31 recommends.

const scripts =
  `Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin
Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan`.split(/\s+/)

/** Scripts that are commonly written together, also with Latin letters among them. */
const mixtures = [
  ['Han', 'Hiragana', 'Katakana', 'Latin'],
  ['Han', 'Bopomofo', 'Latin'],
  ['Han', 'Hangul', 'Latin'],
]

const makeProfiles = (): RegExp[] =>
  [...scripts.map((script) => [script]), ...mixtures].map(
    (together) =>
      new RegExp(`^[${['Common', 'Inherited', ...together].map((name) => `\\p{scx=${name}}`).join('')}]*$`, 'u'),
  )
/** Created for the first text that is not ASCII, because it takes 8 ms. */
let profiles: readonly RegExp[] | null = null

// Words of only these letters read as Latin words. The Cyrillic set is Chromium's; the Greek set has letters of Latin shape in lower case.
const passForLatin = [/^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ]+$/u, /^[αιοκνρτυχωϲϳ]+$/u]

// Latin letters of current alphabets: ASCII, Latin-1, Extended-A without the dotless i and kra, schwa, and any of these with marks. Other
// letters belong to phonetic, small-capital and historic alphabets, and look like these.
const usualLatin = /^[a-z\u00df-\u0130\u0132-\u0137\u0139-\u017e\u0259]/

const latinLetters = (text: string): readonly string[] => text.match(/\p{Script=Latin}/gu) ?? []

/** A match of any of these makes a text that can look like another one, whatever its script. */
const deceptive = [
  // Format characters, private use, unassigned; symbols, some of which are not visible.
  /[[\p{C}\p{S}]--\p{ASCII}]/v,
  // Punctuation that looks like ASCII, except for an apostrophe and the dots within words.
  /[\p{P}--\p{ASCII}--[\u2019\xb7\u30fb]]/v,
  // Letters of no script (modifiers, tone marks, lengthening), except for the Japanese long vowel mark, and numbers of no script.
  /[[\p{L}&&\p{Script=Common}]--\u30fc]/v,
  /[[\p{N}&&\p{scx=Common}]--\p{ASCII}]/v,
  // Combining marks that fit any letter: in NFC, those that a language uses are already composed with their letter.
  /[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/,
  // Marks on a Latin letter, without a letter, repeated, or stacked.
  /(?:\p{Script=Latin}|(?<![\p{L}\p{M}]))\p{M}/u,
  /(\p{Mn})\1|\p{Mn}{5}/u,
]

const asciiOnly = /^[\x20-\x7e]*$/

/** Whether the text (in NFC and lower case) may be mistaken for another one. Always false for ASCII. */
export function isLookalike(text: string): boolean {
  if (asciiOnly.test(text)) return false
  if (text.normalize('NFKC') !== text) return true
  if (deceptive.some((pattern) => pattern.test(text))) return true
  if (latinLetters(text).some((letter) => !usualLatin.test(letter.normalize('NFD')))) return true
  profiles ??= makeProfiles()
  if (!profiles.some((profile) => profile.test(text))) return true
  const letters = text.replaceAll(/[^\p{L}]/gu, '')
  return passForLatin.some((set) => set.test(letters))
}

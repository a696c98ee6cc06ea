// Texts of any characters. `unit: 'binary'` of fast-check does the same, but builds a list of all a million characters, which takes a second.
import fc from 'fast-check'

const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code))

/** Returns texts without lone surrogates. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...(maxLength === undefined ? {} : { maxLength }) })

import test from 'ava'
import fc from 'fast-check'
import { findIban } from '../../src/redact/find-iban.ts'
import type { TextRange } from '../../src/redact/place.ts'
import { seed } from '../_kit/soak.ts'

const lengths: Readonly<Record<string, number>> = { DE: 22, GB: 22, NO: 15, BE: 16, MT: 31, RU: 33, LC: 32, SE: 24 }

/** Returns the remainder of a large number by the definition in ISO 13616. */
function remainderOf(compact: string): bigint {
  const moved = compact.slice(4) + compact.slice(0, 4)
  return BigInt(moved.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))) % 97n
}
const isValid = (compact: string): boolean => remainderOf(compact) === 1n

const ibanStart = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,29}/gi

/** In lower case, it must stand alone and end in ten digits. */
const endsAsOne = (compact: string, text: string, end: number): boolean =>
  !/[a-z]/.test(compact) || (/\d{10}$/.test(compact) && !/[A-Za-z0-9]/.test(text[end] ?? ''))

/** One regular expression with a check of each match: slow on adversarial texts, and the reference for the scan. */
function findByRegExp(text: string, from: number): TextRange | null {
  ibanStart.lastIndex = from
  for (let match = ibanStart.exec(text); match !== null; match = ibanStart.exec(text)) {
    const length = lengths[match[0].slice(0, 2).toUpperCase()] ?? 0
    let end = 0
    let compact = ''
    for (; end < match[0].length && compact.length < length; end++) compact += match[0][end]?.replace(/[ -]/, '') ?? ''
    if (
      length > 0 &&
      compact.length === length &&
      isValid(compact.toUpperCase()) &&
      endsAsOne(compact, text, match.index + end)
    )
      return { start: match.index, end: match.index + end }
    ibanStart.lastIndex = match.index + 4
  }
  return null
}

/** An account number with correct check digits. */
const iban = fc
  .tuple(
    fc.constantFrom(...Object.keys(lengths)),
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789AZ')), maxLength: 29 }),
  )
  .map(([country, account]) => {
    const body = account.padEnd((lengths[country] as number) - 4, '7').slice(0, (lengths[country] as number) - 4)
    const check = (98n - remainderOf(`${country}00${body}`)) % 97n
    return `${country}${String(check).padStart(2, '0')}${body}`
  })
const printed = iban.map((compact) => compact.replaceAll(/(.{4})(?=.)/g, '$1 '))
const dashed = iban.map((compact) => compact.replaceAll(/(.{3})(?=.)/g, '$1-'))
const lower = fc.oneof(iban, printed).map((upper) => upper.toLowerCase())
const noise = fc.constantFrom(
  'DE89',
  'DE89 ',
  'NO93',
  'a',
  'Z',
  '1',
  ' ',
  '  ',
  '-',
  '\\n',
  '\\t',
  '\\',
  'é',
  'SE',
  '漢',
  '_',
  '.',
)
const text = fc
  .array(fc.oneof(iban, printed, dashed, lower, noise, noise), { maxLength: 12 })
  .map((parts) => parts.join(''))

test('the scan finds what the regular expression finds, place by place', (t) => {
  let found = 0
  fc.assert(
    fc.property(text, (given) => {
      for (let from = 0; ; ) {
        const place = findIban(given, from)
        t.deepEqual(place, findByRegExp(given, from), JSON.stringify(given))
        if (place === null) return
        found++
        from = place.end
      }
    }),
    { numRuns: 1_000, seed },
  )
  t.true(found > 500, `only ${found} were found`)
})

test('numbers are found at the start, at the end, in groups, and behind an escaped line break', (t) => {
  const plain = 'DE89370400440532013000'
  for (const [given, start] of [
    [plain, 0],
    [`to ${plain}`, 3],
    ['DE89 3704 0044 0532 0130 00.', 0],
    [String.raw`to\n${plain}`, 4],
    [`DE88 ${plain}`, 5],
  ] as const) {
    t.is(findIban(given, 0)?.start, start, given)
  }
  for (const given of [`x${plain}`, `é${plain.slice(0, -1)}`, 'DE88370400440532013000', 'ZZ89370400440532013000', '']) {
    t.is(findIban(given, 0), null, given)
  }
})

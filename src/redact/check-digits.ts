// The check digits that distinguish card numbers and bank accounts from other numbers.

/** True if a text has 13 to 19 digits, apart from blanks and dashes, and they pass the Luhn check (ISO/IEC 7812-1). */
export function isCardNumber(text: string): boolean {
  let count = 0
  let sum = 0
  for (let i = text.length - 1; i >= 0; i--) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0) continue
    const doubled = count % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
    count++
  }
  return count > 12 && count < 20 && sum % 10 === 0
}

const [capitalA, digit0, digit9, letters] = [0x41, 0x30, 0x39, 26]
/** The bit in which the codes of an upper-case and a lower-case letter differ. */
export const caseBit = 0x20

/** Lengths of national account numbers by the two letters of the country, from the IBAN registry (ISO 13616). */
const ibanLengths: Readonly<Uint8Array> = makeIbanLengths(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 ' +
    'LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 ' +
    'QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30',
)

function makeIbanLengths(registry: string): Uint8Array {
  const table = new Uint8Array(letters * letters)
  for (const entry of registry.split(' ')) {
    table[countryAt(entry.charCodeAt(0), entry.charCodeAt(1))] = Number(entry.slice(2))
  }
  return table
}

function countryAt(first: number, second: number): number {
  return ((first & ~caseBit) - capitalA) * letters + (second & ~caseBit) - capitalA
}

/** Returns the length of an IBAN of the country with these two letters (codes, in either case); 0 for a country without IBANs. */
export const ibanLength = (first: number, second: number): number => ibanLengths[countryAt(first, second)] ?? 0

/**
 * One step of the IBAN check: returns the remainder of the number by 97 after one more digit or letter in either case. The check starts at 0
 * with the fifth character and ends with the fourth; the result must be 1. It works character by character: a text may consist of nothing
 * but beginnings of IBANs, and creating a string for each would cost more than checking it.
 */
export const appendToIban = (remainder: number, code: number): number =>
  code <= digit9 ? (remainder * 10 + code - digit0) % 97 : (remainder * 100 + (code & ~caseBit) - capitalA + 10) % 97

/** True for numbers with at least as many digits as a card number. */
export const isCardSized = (value: number | bigint): boolean =>
  typeof value === 'bigint' ? value > 1_000_000_000_000n : Number.isSafeInteger(value) && value > 1e12

const oddNumber = /^\s*(?=\d+[.eE])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/
const maxOddNumber = 64

/** Whether a text is one JSON number with a fraction or exponent. A reader that parses it as JSON gets the plain digits. */
export const isOddNumber = (text: string): boolean => text.length <= maxOddNumber && oddNumber.test(text)

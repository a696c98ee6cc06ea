// E-mail addresses: one canonical form for all spellings of an address, and the check that refuses lookalikes for new accounts.
import { domainToASCII, domainToUnicode } from 'node:url'
import { isLookalike } from './lookalike.ts'

export const maxAddressCharacters = 254
const maxLabelCharacters = 63

export type EmailAddress = {
  /**
   * NFC, lower case, the domain in ASCII (IDNA), without invisible characters, so that one mailbox is one account. New rows hold this form.
   */
  readonly canonical: string
  /**
   * All forms in which it may be stored, since older accounts have the form that was typed then. The typed form, in lower case, is first.
   */
  readonly forms: readonly string[]
  /** It contains letters that can be mistaken for others. Such an address gets no new account and no invite. */
  readonly isLookalike: boolean
  /** Each label of the domain has 1 to 63 characters (RFC 1035), and each that begins with `xn--` can be decoded, so that the domain can exist. Other addresses get no new account and no invite. */
  readonly hasValidLabels: boolean
}

const pattern = /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]{0,251}[\p{L}\p{M}\p{N}])?$/u
// Zero-width and other characters that are not visible: copied along with an address, or inserted to make a second address.
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const plainAscii = /^[\x20-\x7e]*$/

/** Returns null if the text is not an e-mail address. */
export function readEmailAddress(text: string): EmailAddress | null {
  if (text.length > maxAddressCharacters || !text.isWellFormed()) return null
  const typed = text.toLowerCase()
  const clean = typed.replaceAll(invisible, '').normalize('NFC').toLowerCase().normalize('NFC')
  if (!pattern.test(clean)) return null
  const [local = '', domain = ''] = clean.split('@')
  const ascii = toAsciiDomain(domain)
  if (ascii === null) return null
  const unicode = hasPunycode(ascii) ? domainToUnicode(ascii) : ascii
  const canonical = `${local}@${ascii}`
  // IDNA may lengthen a domain.
  if (canonical.length > maxAddressCharacters) return null
  const shown = `${local}@${unicode}`
  return {
    canonical,
    forms: [...new Set([typed, canonical, shown, canonical.normalize('NFD'), shown.normalize('NFD')])],
    isLookalike: [local, ...unicode.split('.')].some(isLookalike),
    hasValidLabels:
      !hasPunycode(unicode) && ascii.split('.').every(({ length }) => length > 0 && length <= maxLabelCharacters),
  }
}

/** Returns the forms of a stored address. An address that predates the current rules is matched as it is. */
export const formsOf = (stored: string): readonly string[] => readEmailAddress(stored)?.forms ?? [stored]

/** Returns null for an invalid domain. A plain ASCII domain is returned unchanged: the URL parser would read numbers as an IPv4 address. */
function toAsciiDomain(domain: string): string | null {
  if (plainAscii.test(domain) && !hasPunycode(domain)) return domain
  const ascii = domainToASCII(domain)
  return ascii === '' ? null : ascii
}

const hasPunycode = (domain: string): boolean => /(^|\.)xn--/.test(domain)

// E-mail addresses: one form for every way to write the same one, and what makes one unfit for a new account.
import { domainToASCII, domainToUnicode } from 'node:url'
import { isLookalike } from './lookalike.ts'

export const maxAddressCharacters = 254

export type EmailAddress = {
  /** NFC, lower case, the domain in ASCII (IDNA), without invisible characters: one mailbox is one account. New rows hold this form. */
  readonly canonical: string
  /** All forms in which it may be stored, since accounts made before have the form that was typed then. That one, in lower case, goes first. */
  readonly forms: readonly string[]
  /** It holds letters that can be taken for others: no new account and no invite gets it. */
  readonly isLookalike: boolean
}

const pattern = /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]{0,251}[\p{L}\p{M}\p{N}])?$/u
// Zero-width and other characters that show as nothing: pasted along with an address, or put there to make a second one.
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const plainAscii = /^[\x20-\x7e]*$/

/** Null where the text is no e-mail address. */
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
  // IDNA may write a domain at greater length.
  if (canonical.length > maxAddressCharacters) return null
  const shown = `${local}@${unicode}`
  return {
    canonical,
    forms: [...new Set([typed, canonical, shown, canonical.normalize('NFD'), shown.normalize('NFD')])],
    isLookalike: [local, ...unicode.split('.')].some(isLookalike),
  }
}

/** Of an address on record. One that was stored before the rules of today is matched as it is. */
export const formsOf = (stored: string): readonly string[] => readEmailAddress(stored)?.forms ?? [stored]

/** Null where the domain is none. A plain one stays as it is: the URL parser would read numbers as an IPv4 address. */
function toAsciiDomain(domain: string): string | null {
  if (plainAscii.test(domain) && !hasPunycode(domain)) return domain
  const ascii = domainToASCII(domain)
  return ascii === '' ? null : ascii
}

const hasPunycode = (domain: string): boolean => /(^|\.)xn--/.test(domain)

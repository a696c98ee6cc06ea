// Refuses passwords that are too easy to guess: known ones, repetitions, runs, and the person's own words.
import { isKnownPassword } from './blocklist.ts'

const minOwnCharacters = 8
const minWordCharacters = 4

export type PasswordContext = { readonly email: string; readonly words: readonly (string | undefined)[] }

/** Returns why the password is refused, or null. No rule requires kinds of characters. Known passwords are matched in any letter case. */
export function findPasswordFault(password: string, context: PasswordContext): string | null {
  if (!password.isWellFormed()) return 'The password contains characters that are not valid Unicode'
  const lower = password.toLowerCase()
  if (isKnownPassword(lower) || isRepetition(lower) || isRun(lower))
    return 'The password is too easy to guess; choose another one'
  const own = removeWords(lower, ['tracewright', readLocalPart(context.email), ...context.words])
  if (own.length < minOwnCharacters)
    return 'The password consists mostly of your name, your e-mail address, or the name of your organization or of the service; choose another one'
  return null
}

const readLocalPart = (email: string): string => email.split('@')[0] ?? ''

function removeWords(text: string, sources: readonly (string | undefined)[]): string {
  const words = sources
    .flatMap((source) => [source ?? '', ...(source ?? '').split(/[^\p{L}\p{N}]+/u)])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= minWordCharacters)
    .sort((a, b) => b.length - a.length)
  let rest = text
  for (const word of words) rest = rest.replaceAll(word, '')
  return rest
}

/** A unit of up to four characters, repeated. */
const isRepetition = (text: string): boolean => /^(.{1,4}?)\1+.{0,3}$/su.test(text) && new Set(text).size <= 4

/** Whether each character is the successor of the previous one, or each the predecessor. */
function isRun(text: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < text.length; at += 1) steps.add(text.charCodeAt(at) - text.charCodeAt(at - 1))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

// Names the program of a session by its User-Agent header.

/** The first match counts, since most browsers also name other browsers. */
const programs = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const maxCharacters = 40

type Names = readonly (readonly [RegExp, string])[]
const find = (names: Names, text: string): string | undefined => names.find(([pattern]) => pattern.test(text))?.[1]

/** Returns `Firefox on Linux`, for example. For an unknown program it returns the beginning of the header. */
export function nameBrowser(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'An unknown program'
  const program = find(programs, userAgent)
  if (program === undefined) return userAgent.split(' ')[0]?.slice(0, maxCharacters) ?? ''
  const system = find(systems, userAgent)
  return system === undefined ? program : `${program} on ${system}`
}

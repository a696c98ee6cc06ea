// Reads Accept and Accept-Encoding in time that is linear in their length: a client without a credential chooses both.

type Preference = { readonly name: string; readonly weight: number }

/** The most specific entry that names something, and its position in the list from the least to the most specific name. */
type Match = { readonly weight: number; readonly specificity: number }

/** Returns the names of the list in lower case, each with its weight (`q`, by default 1). Other parameters are ignored. */
const readPreferences = (header: string): Preference[] =>
  header
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })

/** Whether Accept-Encoding names the coding, under one of its names, and does not refuse it. */
export const acceptsCoding = (names: readonly string[], acceptEncoding: string | undefined): boolean =>
  readPreferences(acceptEncoding ?? '').some(({ name, weight }) => names.includes(name) && weight > 0)

/** Whether Accept prefers HTML to JSON: by weight, then by the more specific name; `tie` if these are equal. */
export function prefersHtml(accept: string | undefined, tie: boolean): boolean {
  const preferences = readPreferences(accept ?? '*/*')
  const html = findMatch(preferences, ['*/*', 'text/*', 'text/html'])
  const json = findMatch(preferences, ['*/*', 'application/*', 'application/json'])
  if (html.weight !== json.weight) return html.weight > json.weight
  if (html.specificity !== json.specificity) return html.specificity > json.specificity
  return tie && html.weight > 0
}

/** `names`: from the least to the most specific one. An invalid weight counts as 0. */
function findMatch(preferences: readonly Preference[], names: readonly string[]): Match {
  return preferences
    .map(({ name, weight }) => ({ weight: weight > 0 ? weight : 0, specificity: names.indexOf(name) }))
    .reduce<Match>((best, one) => (one.specificity > best.specificity ? one : best), { weight: 0, specificity: -1 })
}

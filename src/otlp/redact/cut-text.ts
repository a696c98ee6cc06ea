// How much of a text is looked through and kept.

/** Characters of one text that are kept; what lies beyond is dropped. */
export const maxTextLength = 262_144
/** How far to step back from a cut, so that no half of a secret stays before it. */
const maxStepBack = 1_024

/** The text, or its beginning, up to a blank where one is near. */
export function cut(text: string): string {
  if (text.length <= maxTextLength) return text
  const kept = text.slice(0, maxTextLength)
  const blank = kept.slice(-maxStepBack).search(/\s\S*$/)
  return `${kept.slice(0, blank === -1 ? maxTextLength - maxStepBack : maxTextLength - maxStepBack + blank)} [truncated]`.toWellFormed()
}

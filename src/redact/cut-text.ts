// Limits how much of a text is scanned and kept.
import { maxStepBack, stepBack } from '../base/step-back.ts'

/** The characters of one text that are kept. The rest is dropped. */
export const maxTextLength = 262_144

/** Returns the text, or its beginning up to a nearby blank. */
export function cutContent(text: string): string {
  if (text.length <= maxTextLength) return text
  const kept = text.slice(0, maxTextLength)
  return `${kept.slice(0, stepBack(kept, maxStepBack))} [truncated]`.toWellFormed()
}

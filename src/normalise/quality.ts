// Reads the quality of an answer from the evaluation scores that a span carries.
import { isAsked, isMine } from './asked-reads.ts'
import { firstText } from './attribute.ts'
import type { Reading } from './reading.ts'

const maxScores = 32

/**
 * Returns the mean of the scores in the span's attributes, its evaluation events and OpenInference's annotations; null where there are
 * none. Senders choose the scale, so that only scores of one workspace can be compared. Cost: two look-ups where there is no score.
 */
export function readQualityScore(reading: Reading): number | null {
  const { names, reads } = reading.dialects
  const scores: number[] = []
  const add = (text: string | null): void => {
    const score = text === null || text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isFinite(score) && scores.length < maxScores) scores.push(score)
  }
  add(firstText(reading.attributes, names.score))
  if (isAsked(reading, reads.scores)) {
    for (const { of, read } of reads.scores.reads) if (isMine(reading, of)) read(reading, add)
  }
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

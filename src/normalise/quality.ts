// Floor 1. How good an answer was, by those who judged it: the scores of evaluations that a span carries.
import { anyOf } from '../otlp/names.ts'
import { asText, firstText, has } from './attribute.ts'
import type { Reading } from './reading.ts'

const scoreName = 'gen_ai.evaluation.score.value'
const scoreNames = anyOf(scoreName)
const annotationNames = anyOf('annotations.0.annotation.score')
const maxScores = 32

/**
 * The mean of the span's scores, on its own attributes, in its evaluation events, or among OpenInference's annotations; null where it has
 * none. Senders choose the scale: only scores of one workspace can be compared. Cost: two look-ups where nothing was judged.
 */
export function readQualityScore({ attributes, span }: Reading): number | null {
  const scores: number[] = []
  const add = (text: string | null): void => {
    const score = text === null || text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isFinite(score) && scores.length < maxScores) scores.push(score)
  }
  add(firstText(attributes, scoreNames))
  for (const event of span.events) {
    if (event.name.startsWith('gen_ai.evaluation')) add(asText(event.attributes.get(scoreName)))
  }
  // Most spans have none: one look tells.
  const most = has(attributes, annotationNames) ? maxScores : 0
  for (let n = 0; n < most; n += 1) {
    const score = attributes.get(`annotations.${n}.annotation.score`)
    if (score === undefined) break
    add(asText(score))
  }
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

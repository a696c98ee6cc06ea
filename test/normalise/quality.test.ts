import test from 'ava'
import { read } from './_span.ts'

test('a score on the span itself, as a number or as text', (t) => {
  t.is(read({ attributes: { 'gen_ai.evaluation.score.value': 0.75 } }).qualityScore, 0.75)
  t.is(read({ attributes: { 'gen_ai.evaluation.score.value': ' 4 ' } }).qualityScore, 4)
  t.is(read({ attributes: { 'gen_ai.evaluation.score.value': 0 } }).qualityScore, 0)
})

test('no score is none, and what is no number is no score', (t) => {
  t.is(read({ attributes: {} }).qualityScore, null)
  for (const score of ['', 'good', 'NaN', 'Infinity', true]) {
    t.is(read({ attributes: { 'gen_ai.evaluation.score.value': score } }).qualityScore, null, String(score))
  }
})

test('the scores of several evaluations are told by their mean', (t) => {
  const scored = (name: string, score: number) => ({ name, attributes: { 'gen_ai.evaluation.score.value': score } })
  const events = [scored('gen_ai.evaluation.result', 1), scored('gen_ai.evaluation.result', 0.5), scored('log', 100)]
  t.is(read({ events }).qualityScore, 0.75)
  t.is(
    read({
      attributes: { 'annotations.0.annotation.score': 0.2, 'annotations.1.annotation.score': 0.4 },
    }).qualityScore?.toFixed(6),
    '0.300000',
  )
})

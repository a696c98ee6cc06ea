import test from 'ava'
import { listChanges, toDraft, toSettings } from '../../src/pages/settings/rule-form.ts'
import {
  explainAlpha,
  explainFloor,
  explainFreshness,
  explainHoldout,
  joinSeconds,
  readPercent,
  sayInPercent,
  sayInUnit,
  showPercent,
  splitSeconds,
} from '../../src/pages/settings/rule-words.ts'

test('an age is edited in the largest unit without a fraction, and is stored as the same seconds', (t) => {
  t.deepEqual(splitSeconds(86_400), { amount: 1, unit: 'days' })
  t.deepEqual(splitSeconds(129_600), { amount: 36, unit: 'hours' })
  t.deepEqual(splitSeconds(90), { amount: 1.5, unit: 'minutes' })
  for (const seconds of [60, 90, 3_600, 21_600, 86_400, 2_592_000]) {
    const { amount, unit } = splitSeconds(seconds)
    t.is(joinSeconds(String(amount), unit), seconds)
  }
  t.is(joinSeconds('', 'days'), Number.NaN)
  t.is(joinSeconds('soon', 'days'), Number.NaN)
})

test('shares are typed in percent and lose nothing on the way', (t) => {
  for (const [share, text] of [
    [0.05, '5'],
    [0.025, '2.5'],
    [0.999, '99.9'],
    [0.07, '7'],
    [0.001, '0.1'],
  ] as const) {
    t.is(showPercent(share), text)
    t.is(readPercent(text), share)
  }
  t.is(readPercent(' '), Number.NaN)
})

test('a limit of the service is shown in the unit of the field', (t) => {
  t.is(sayInPercent('Input should be less than or equal to 0.5'), 'Input should be less than or equal to 50 %')
  t.is(sayInPercent('Input should be a valid number'), 'Input should be a valid number')
  t.is(sayInPercent(null), null)
  t.is(
    sayInUnit('Input should be less than or equal to 2592000', 'days'),
    'Input should be less than or equal to 30 days',
  )
  t.is(sayInUnit(null, 'days'), null)
})

test('the effect of a number is explained, and a text that is not a number has no explanation', (t) => {
  t.regex(explainHoldout(0.05) ?? '', /^Of 1,000 calls .* 50 still run for real/)
  t.regex(explainFloor(0.95) ?? '', /at most 50 of 1,000 results/)
  t.regex(explainAlpha(0.01) ?? '', /at most 10 are ever activated/)
  t.regex(explainFreshness(86_400) ?? '', /at most 1 day after/)
  t.regex(explainFreshness(7_200) ?? '', /at most 2 hours after/)
  for (const explain of [explainHoldout, explainFloor, explainAlpha, explainFreshness]) {
    t.is(explain(Number.NaN), null)
    t.is(explain(0), null)
  }
})

test('only settings that a person has changed are sent', (t) => {
  const settings = { auto_shadow: true, default_freshness_s: 86_400, holdout_rate: 0.05, floor: 0.95, alpha: 1 / 30 }
  const draft = toDraft(settings)
  const before = toSettings(draft)
  t.deepEqual(listChanges(before, toSettings(toDraft(settings))), {})
  t.deepEqual(listChanges(before, toSettings({ ...draft, floor: '99', alpha: 'none' })), {
    floor: 0.99,
    alpha: Number.NaN,
  })
  t.deepEqual(listChanges(before, toSettings({ ...draft, age: { amount: '24', unit: 'hours' } })), {})
})

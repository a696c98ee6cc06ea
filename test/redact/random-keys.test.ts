// Randomly drawn keys: none may be missed because of its random characters.
import test from 'ava'
import { canonicalProvider } from '../../src/pricing/provider.ts'
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const redactor = openRedactor(Buffer.alloc(16, 7))

const isTaken = (text: string): boolean => {
  const bytes = Buffer.from(text)
  return isSuspicious(bytes, 0, bytes.length) && redactor.text(text).changed
}

const begins = [
  'sk-',
  'sk-proj-',
  'sk_live_',
  'rk_live_',
  'glpat-',
  'tw_sk_',
  'SG.',
  'hvs.',
  'xai-',
  'r8_',
  'tvly-',
  'lsv2_pt_',
]

test('a key without a digit is a key', (t) => {
  const random = makeRandom(1)
  const draw = (length: number): string => Array.from({ length }, () => random.pick(letters)).join('')
  for (const begin of begins) {
    const keys = Array.from({ length: inSoak(200, 400) }, () => begin + draw(64))
    const missed = keys.filter((key) => !isTaken(`the key is ${key} ok`))
    t.true(missed.length <= keys.length / 100, `${begin}: ${missed.length} of ${keys.length}, as ${missed[0]}`)
  }
})

test('names in code and paths that begin like keys stay', (t) => {
  for (const text of [
    'sk-learn-and-risk-management-for-everybody',
    'sk_some_name_of_a_function_in_code',
    'sk-proj-template-for-new-projects',
    'glpat- and tw_sk_ as such',
    'SG.mail.send.template.and.some.more.parts.of.a.path',
  ]) {
    t.false(redactor.text(text).changed, text)
  }
})

test('a key in the place of a provider keeps the case that tells it', (t) => {
  t.true(isTaken(canonicalProvider('AKIASH5EKXW7XSJITFJZ') ?? ''))
  t.is(canonicalProvider('My-Gateway'), 'my-gateway')
  t.is(canonicalProvider('OpenRouter'), 'openrouter')
})

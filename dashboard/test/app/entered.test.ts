import test from 'ava'
import { readNext } from '../../src/app/entered.ts'

const cases: readonly (readonly [string | undefined, string | null])[] = [
  [undefined, null],
  ['/w/1/traces?model=gpt#x', '/w/1/traces?model=gpt#x'],
  ['/invite/tw_inv_1', '/invite/tw_inv_1'],
  ['/sign-in?next=/w/1', null],
  ['/sign-up', null],
  ['//evil.example/', null],
  ['/\\evil.example', null],
  ['https://evil.example/', null],
  ['javascript:alert(1)', null],
  ['w/1', null],
]

for (const [next, expected] of cases) {
  test(`after signing in, ${next} leads to ${expected}`, (t) => {
    t.is(readNext(next), expected)
  })
}

// A value that is longer than its limit is redacted before it is cut, or cut where no part of a secret is left.
import test from 'ava'
import { isSoak } from '../_kit/soak.ts'
import { makeSpan } from '../_kit/spans.ts'
import { storedOf } from './_stored.ts'

const secrets = [
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'straddler.person@corp-example.com',
  '4111 1111 1111 1111',
  'GB82 WEST 1234 5698 7654 32',
]
const operations = ['chat', 'execute_tool']
const names = [
  'session.id',
  'user.id',
  'gen_ai.agent.name',
  'gen_ai.request.model',
  'gen_ai.response.id',
  'gen_ai.conversation.id',
  'error.type',
  'gen_ai.provider.name',
  'gen_ai.tool.call.id',
]
const limitOf = { name: 256, spanName: 1_024, value: 65_536, content: 262_144 } as const

/** Puts a secret across a limit, with `ahead` of its characters before it. */
const across = (limit: number, secret: string, ahead: number): string =>
  `${'x'.repeat(limit - ahead - 1)} ${secret} after`

for (const mode of ['redacted', 'none'] as const) {
  for (const secret of secrets) {
    test(`mode ${mode} leaves nothing of ${secret} across a limit`, (t) => {
      for (const [at, ahead] of [6, 12, secret.length - 1].entries()) {
        const start = secret.slice(0, ahead)
        // By default, each place takes one of them in turn.
        for (const operation of isSoak ? operations : [operations[at % operations.length] ?? '']) {
          const attributes = {
            'gen_ai.operation.name': operation,
            ...Object.fromEntries(names.map((name) => [name, across(limitOf.name, secret, ahead)])),
            note: across(limitOf.value - 16, secret, ahead),
            'gen_ai.input.messages': across(limitOf.content - 16, secret, ahead),
          }
          const name = across(limitOf.spanName - 16, secret, ahead)
          const stored = storedOf(
            makeSpan({ name, attributes, status: { code: 2, message: across(2_048, secret, ahead) } }),
            mode,
          )
          t.false(stored.includes(start), start)
        }
      }
    })
  }
}

test('the control: in mode full the beginning of the secret is stored', (t) => {
  const [secret = ''] = secrets
  const span = makeSpan({ attributes: { 'session.id': across(limitOf.name, secret, 12) } })
  t.true(storedOf(span, 'full').includes(secret.slice(0, 12)))
})

import test from 'ava'
import { type Given, listCounted } from './_input.ts'

const usage = { hasUsage: true, inputTokens: 100, outputTokens: 10, model: 'a-model' }
const attempt = (id: string, at: readonly [number, number], more: Partial<Given> = {}): Given => ({
  id,
  kind: 'llm',
  scopeName: 'a.gateway',
  at,
  ...more,
})
const failed = attempt('failed', [0, 100], { isError: true })
const later = attempt('later', [200, 300], { in: 'failed', ...usage })

test('a call that began after the failed one around it had ended is a call of its own', (t) => {
  t.deepEqual(listCounted(failed, later), ['failed', 'later'])
  t.deepEqual(listCounted(failed, { id: 'fallback', in: 'failed', at: [150, 350] }, { ...later, in: 'fallback' }), [
    'failed',
    'later',
  ])
  t.deepEqual(listCounted({ ...failed, ...usage }, later), ['failed', 'later'], 'its usage is billed too')
  const second = attempt('second', [200, 300], { in: 'failed', isError: true })
  t.deepEqual(listCounted(failed, second, attempt('third', [400, 500], { in: 'second', ...usage })), [
    'failed',
    'second',
    'third',
  ])
})

test('a span around all attempts reports the last one', (t) => {
  const client: Given = attempt('client', [0, 400], { scopeName: 'a.client', ...usage })
  t.deepEqual(listCounted(client, { ...failed, in: 'client' }, later), ['failed', 'later'])
})

test('a call inside one that goes on, succeeded or is of another scope is another report of it', (t) => {
  t.deepEqual(listCounted({ ...failed, at: [0, 400] }, later), ['later'])
  t.deepEqual(listCounted({ ...failed, at: [0, 0] }, later), ['later'], 'a duration that is not known')
  t.deepEqual(listCounted({ ...failed, isError: false }, later), ['later'])
  t.deepEqual(listCounted({ ...failed, scopeName: 'a.client' }, later), ['later'])
})

import test from 'ava'
import { resolve } from '../../src/resolve/resolve.ts'
import { type Given, listCounted, makeInput } from './_input.ts'

const turnOf = (id: string, at: readonly [number, number], more: Partial<Given> = {}): Given => ({
  id,
  in: 'app',
  kind: 'llm',
  scopeName: 'openinference.instrumentation.claude_agent_sdk',
  hasUsage: true,
  inputTokens: 30_000,
  outputTokens: 3_000,
  at,
  ...more,
})
const callOf = (id: string, at: readonly [number, number], more: Partial<Given> = {}): Given => ({
  id,
  in: 'interaction',
  kind: 'llm',
  scopeName: 'com.anthropic.claude_code.tracing',
  hasUsage: true,
  inputTokens: 10_000,
  outputTokens: 1_000,
  at,
  ...more,
})
const app: Given = { id: 'app', at: [0, 100_000_000] }
const interaction: Given = { id: 'interaction', in: 'app', kind: 'chain', at: [900, 9_500_000] }
const calls = [callOf('one', [1_000, 3e6]), callOf('two', [3e6, 6e6]), callOf('three', [6e6, 9e6])]

test('the calls that Claude Code reports beside a turn count in place of the turn', (t) => {
  const turn = turnOf('turn', [100_000, 9_600_000])
  t.deepEqual(listCounted(app, interaction, ...calls, turn), ['one', 'two', 'three'])
  t.deepEqual(listCounted(app, interaction, turn), ['turn'])
  const later = callOf('later', [20e6, 30e6])
  const resolved = resolve([turn, ...calls, later].map(makeInput))
  t.deepEqual(
    resolved.map(({ toldTwice, nestedCall, callAt }) => [toldTwice, nestedCall, callAt]),
    [[true, true, -1], ...[1, 2, 3].map((at) => [true, false, at]), [false, false, 4]],
    'flagged as a span around its calls is',
  )
})

test('a turn at another time, of another session or of another SDK is none of these calls', (t) => {
  const counted = (turn: Given) => listCounted(app, interaction, ...calls, turn).at(-1)
  t.is(counted(turnOf('later', [20e6, 30e6])), 'later')
  t.is(counted(turnOf('other', [100_000, 9_600_000], { scopeName: 'another.sdk' })), 'other')
  const session = (sessionOwn: string | null) => calls.map((call): Given => ({ ...call, sessionOwn }))
  const turn = turnOf('turn', [100_000, 9_600_000], { sessionOwn: 'a' })
  t.is(listCounted(app, interaction, ...session('b'), turn).at(-1), 'turn')
  t.is(listCounted(app, interaction, ...session('a'), turn).at(-1), 'three')
  t.is(listCounted(app, interaction, ...session(null), turn).at(-1), 'three')
  t.is(listCounted(app, interaction, ...session('b'), { ...turn, sessionOwn: null }).at(-1), 'three')
})

test('the longest of several calls may be the one that runs during a turn', (t) => {
  const long = callOf('long', [0, 8e6])
  const shorter = [callOf('short', [1_000, 2_000]), callOf('after', [9e6, 10e6])]
  t.deepEqual(listCounted(app, long, ...shorter, turnOf('turn', [7e6, 7.5e6])), ['long', 'short', 'after'])
})

test('a call without usage does not replace the usage of a turn', (t) => {
  const aborted = { hasUsage: false, inputTokens: null, outputTokens: null, isError: true }
  const turn = turnOf('turn', [100_000, 9_600_000])
  t.deepEqual(listCounted(app, interaction, callOf('one', [1_000, 3e6], aborted), turn), ['one', 'turn'])
})

test('a turn of one session does not mark the calls of another as told twice', (t) => {
  const turn = turnOf('turn', [100_000, 9_600_000], { sessionOwn: 'a' })
  const told = ['a', 'b', null].map((sessionOwn, nth) => callOf(`call ${nth}`, [1_000, 3e6], { sessionOwn }))
  t.deepEqual(
    resolve([turn, ...told].map(makeInput)).map(({ toldTwice }) => toldTwice),
    [true, true, false, true],
  )
})

test('a turn that fails because of a call is no second failure', (t) => {
  const turn = turnOf('turn', [100_000, 9_600_000], { isError: true })
  const countErrors = (...given: Given[]) => {
    const inputs = given.map(makeInput)
    return resolve(inputs).filter(({ errorCarried }, at) => inputs[at]?.isError && !errorCarried).length
  }
  const failed = callOf('failed', [6e6, 9e6], { isError: true })
  t.is(countErrors(turn, failed), 1)
  t.is(countErrors(turn, ...calls.slice(0, 2), { ...failed, hasUsage: false }), 1)
  t.is(countErrors(turn, ...calls), 1, 'no call failed: the failure is that of the turn')
})

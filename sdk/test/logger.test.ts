// What the logger of the application receives, and one that throws, as one does whose methods have lost their object.
import { DiagLogLevel, diag } from '@opentelemetry/api'
import test from 'ava'
import { until } from '../../test/_kit/until.ts'
import { makeClient } from './_client.ts'
import { deadUrl } from './_service.ts'

test.serial('a logger that throws does not affect the agent, the spans or the rules', async (t) => {
  const lines: string[] = []
  const log = (...given: readonly unknown[]): void => {
    lines.push(given.join(' '))
    throw new TypeError('no logger')
  }
  diag.setLogger(
    { error: log, warn: log, info: () => undefined, debug: () => undefined, verbose: () => undefined },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const client = makeClient(deadUrl, { flushTimeoutMs: 20 })
  t.teardown(() => diag.disable())
  t.teardown(client.shutdown)
  await client.ready(60_000)
  const scope = (): string => {
    throw new Error('no scope')
  }
  const tool = client.tool('echo', async (input: number) => input, { attest: true, scope })
  t.is(await tool(1), 1)
  const invalidated = tool.invalidate()
  t.false(await client.flush())
  // A client that is shut down reports no spans.
  await until(() => lines.some((line) => line.includes('could not send spans')))
  await client.shutdown()
  t.false(await invalidated)
  await until(() => lines.length >= 4)
  t.is(client.stats().faults, 1)
})

test.serial('a fault of a function of the application is logged by its name, without content', async (t) => {
  const lines: unknown[] = []
  // The first argument is the name of the component.
  const log = (...given: readonly unknown[]): void => void lines.push(given.at(-1))
  diag.setLogger(
    { error: log, warn: () => undefined, info: () => undefined, debug: () => undefined, verbose: () => undefined },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  t.teardown(() => diag.disable())
  const client = makeClient(deadUrl, { flushTimeoutMs: 20 })
  t.teardown(client.shutdown)
  const fail = (): never => {
    throw new RangeError('secret content')
  }
  const echo = async (input: number): Promise<number> => input
  const number = (() => 42) as unknown as () => string
  await client.tool('t', echo, { attest: true, scope: number })(1)
  await client.tool('t', echo, { attest: true, scope: fail })(1)
  await client.tool('t', echo, { costUsd: fail })(1)
  const request = { provider: 'p', model: 'm', messages: [] }
  await client.llm(request, () => 'x', fail)
  for (const answer of [Promise.resolve({}), undefined, null, 'text'] as object[])
    await client.llm(
      request,
      () => 'x',
      (): object => answer,
    )
  await client.llm({ ...request, messages: new Proxy([], { get: fail }) }, () => 'x')
  const unserved = 'the call runs for real, and no later call is served its result'
  const unread = 'the span of the call lacks the answer, and every tool result in its prompt counts as read'
  t.deepEqual(lines, [
    `the function scope of the tool "t" must return a well-formed string; ${unserved}`,
    `the function scope of the tool "t" threw RangeError; ${unserved}`,
    'the function costUsd of the tool "t" threw RangeError; the span of the call reports no cost',
    `the function read threw RangeError; ${unread}`,
    ...Array(4).fill(
      `what the function read returns, or the answer given to recordLlm, must be an object and no promise; ${unread}`,
    ),
    'internal SDK error, the call was not affected: RangeError',
  ])
  t.is(client.stats().faults, 9)
})

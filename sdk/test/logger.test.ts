// A logger of the application that throws, as one does whose methods have lost their object.
import { DiagLogLevel, diag } from '@opentelemetry/api'
import test from 'ava'
import { until } from '../../test/_kit/until.ts'
import { makeClient } from './_client.ts'
import { deadUrl } from './_service.ts'

test('a logger that throws does not affect the agent, the spans or the rules', async (t) => {
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

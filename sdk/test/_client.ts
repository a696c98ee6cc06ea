// Clients for tests: keys that differ by a letter, sending at once, and no holdout unless asked for.
import { randomUUID } from 'node:crypto'
import { createTracewright, type Tracewright, type TracewrightOptions } from '../src/tracewright.ts'
import { type FakeService, type Received, type RuleInput, storedResult } from './_service.ts'

// Each client watches for the end of the process, and a test file has many.
process.setMaxListeners(100)

export const keyOf = (letter: string): Uint8Array => Buffer.alloc(32, letter)

export function makeClient(baseUrl: string, options: Partial<TracewrightOptions> = {}): Tracewright {
  return createTracewright({
    baseUrl,
    apiKey: 'tw_sk_test',
    agentName: 'tester',
    hashKey: keyOf('h'),
    encryptionKeys: { current: { keyId: 'a', key: keyOf('a') } },
    flushIntervalMs: 5,
    flushTimeoutMs: 60_000,
    // A busy machine is no reason to run a tool, unless a test is about that.
    deadlineMs: 10_000,
    ...options,
  })
}

export type Weather = { readonly city: string; readonly degrees: number }

/** A tool that says which of its calls this was, so that a served result can be told from a real one. */
export function makeCounter(): {
  readonly calls: () => number
  readonly fn: (input: { city: string }) => Promise<Weather>
} {
  let calls = 0
  return {
    calls: () => calls,
    fn: async ({ city }) => {
      calls += 1
      return { degrees: calls, city }
    },
  }
}

export type Seeded = { readonly decisionId: string; readonly span: Received; readonly rule: RuleInput }

/** Runs `weather` for Oslo once for real, and has the service hold its result under an active rule. */
export async function seed(
  service: FakeService,
  options: Partial<TracewrightOptions> = {},
  rule: Partial<RuleInput> = {},
): Promise<Seeded> {
  const writer = makeClient(service.url, options)
  await writer.tool('weather', makeCounter().fn, { attest: true })({ city: 'Oslo' })
  await writer.shutdown()
  const span = service.spans.findLast(({ name }) => name === 'execute_tool weather')
  if (span === undefined) throw new Error('no span of the tool was received')
  const decisionId = randomUUID()
  const made: RuleInput = {
    decision_id: decisionId,
    type: 'reuse_identity',
    tool_name: 'weather',
    input_hash: span.attributes['tracewright.tool.input_hash'] as string,
    ...rule,
  }
  service.setRules([made])
  service.store(decisionId, storedResult(span, decisionId))
  return { decisionId, span, rule: made }
}

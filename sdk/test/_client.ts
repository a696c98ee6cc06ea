// Clients for tests: keys that differ by a letter, sending at once, and no holdout unless asked for.
import { createHmac, randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { until } from '../../test/_kit/until.ts'
import { inputPrefix } from '../src/serving/input-prefix.ts'
import { createTracewright, type Tracewright, type TracewrightOptions } from '../src/tracewright.ts'
import { type FakeService, type ReceivedRequest, type RuleInput, startFakeService, storedResult } from './_service.ts'

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

/** `hmac-sha256:…` of the text with the hash key of these clients. */
export const hmacOf = (text: string): string =>
  `hmac-sha256:${createHmac('sha256', keyOf('h')).update(text).digest('hex')}`

export const inputHashOf = (tool: string, canonicalInput: string): string =>
  hmacOf(`tracewright/input/1\n${JSON.stringify(tool)}\n${canonicalInput}`)

/** A rule that the same input gives the same result, for these canonical inputs. */
export const reuseRule = (tool: string, canonicalInputs: readonly string[], changes: Partial<RuleInput> = {}) => ({
  decision_id: randomUUID(),
  type: 'reuse_identity',
  tool_name: tool,
  tool_version: null,
  input_hash: null,
  inputs: canonicalInputs.map((input) => inputPrefix(inputHashOf(tool, input))).sort(),
  ...changes,
})

/** A service, and clients that have asked it for rules; all are stopped when the test ends. */
export async function openWorld(t: ExecutionContext): Promise<{
  readonly service: FakeService
  readonly client: (options?: Partial<TracewrightOptions>) => Promise<Tracewright>
}> {
  const service = await startFakeService()
  const clients: Tracewright[] = []
  t.teardown(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await service.stop()
  })
  return {
    service,
    async client(options) {
      const client = makeClient(service.url, options)
      clients.push(client)
      await client.ready(60_000)
      return client
    },
  }
}

export const countLookups = ({ requests }: FakeService): number =>
  requests.filter((request) => request.includes('tool-result')).length

export type WeatherResult = { readonly city: string; readonly degrees: number }

/** A tool that says which of its calls this was, so that a served result can be told from a real one. */
export function makeCounter(): {
  readonly calls: () => number
  readonly fn: (input: { city: string }) => Promise<WeatherResult>
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

export type Seeded = { readonly decisionId: string; readonly span: ReceivedRequest; readonly rule: RuleInput }

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

/** Resolves when a client that holds rules has obeyed the new ones: then it waits for others. */
export async function changeRules(service: FakeService, rules: readonly RuleInput[]): Promise<void> {
  // A poll that arrives after the change is answered with it at once, and the client has not obeyed it yet.
  await until(() => service.waitingPolls() > 0)
  service.setRules(rules)
  await until(() => service.waitingPolls() > 0)
}

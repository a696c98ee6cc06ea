// A running service with a fast optimization loop, real SDK clients, and a history that was sent as those clients would have sent it.
import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { createTracewright, type Tracewright } from '../../../sdk/src/tracewright.ts'
import { openPast, type PastCall, type PastKeys, type PastTool } from '../../_kit/past-executions.ts'
import { startService, type TestService } from '../../_kit/serve.ts'
import { encodeRequest, makeSpan, type OtlpSpan } from '../../_kit/spans.ts'
import { until } from '../../_kit/until.ts'
import { post } from '../../ingest/_http.ts'

export type Decision = {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly config: {
    readonly tool_name: string
    readonly tool_version: string | null
    readonly agent_id: string | null
  }
  readonly cost_delta_usd: number | null
  readonly latency_delta_ms: number | null
  readonly score: Readonly<Record<string, unknown>> | null
}

export type ClientOptions = {
  readonly agentName: string
  readonly random?: () => number
  /** Address of the service; by default the service itself. */
  readonly baseUrl?: string
  readonly maxMemoryBytes?: number
}

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
const deadlineMs = 120_000
const spansInRequest = 2_000

/** Never draws a holdout. */
export const neverHeldOut = (): number => 0.999_999

const readMetrics = async ({ metricsPort }: Pick<TestService, 'metricsPort'>): Promise<string> =>
  await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

/** Returns how many measurements of decisions have ended. */
export async function countMeasurements(service: Pick<TestService, 'metricsPort'>): Promise<number> {
  const count = /^tracewright_optimizer_step_duration_seconds_count\{step="judge"\} (\d+)$/m
  return Number(count.exec(await readMetrics(service))?.[1] ?? 0)
}

/** Returns how many turns at workspaces the optimization loop has ended, or how many with this result. */
export async function countLooks(service: Pick<TestService, 'metricsPort'>, result = '.*'): Promise<number> {
  const metrics = await readMetrics(service)
  const turns = metrics.matchAll(new RegExp(`^tracewright_optimizer_turns_total\\{result="${result}"\\} (\\d+)$`, 'gm'))
  return turns.reduce((sum, [, count]) => sum + Number(count), 0)
}

/**
 * Signs up a tenant after the first tick of the loop, which visits every workspace: the loop visits the new workspace only once it has sent
 * something.
 */
async function signUpAfterTick(service: TestService): Promise<TestService> {
  await post(service, encodeRequest([makeSpan()]))
  await until(async () => (await countLooks(service)) > 0)
  const tenant = await service.signUp()
  const call: TestService['call'] = async (method, path, options) =>
    await service.call(method, path, { token: tenant.accessToken, ...options })
  return { ...service, ...tenant, call }
}

/** `overrides`: settings of the service by their names without the prefix. */
export async function openScene(overrides: Record<string, number> = {}) {
  const started = await startService({
    OPTIMIZER_INTERVAL_S: 1,
    OPTIMIZER_TICK_S: 1,
    OPTIMIZER_FINDINGS_S: 3_600,
    OPTIMIZER_SHARE_PERCENT: 100,
    ...overrides,
  })
  const service = await signUpAfterTick(started)
  const keys: PastKeys = { hashKey: randomBytes(32), encryptionKey: randomBytes(32), keyId: 'test' }
  const past = openPast(keys)

  async function send(spans: readonly OtlpSpan[]): Promise<void> {
    for (let at = 0; at < spans.length; at += spansInRequest) {
      const request = encodeRequest(spans.slice(at, at + spansInRequest))
      const { status, rejected, message } = await post(service, request)
      if (status !== 200 || rejected > 0) throw new Error(`status ${status}, ${rejected} spans rejected: ${message}`)
    }
  }

  const listDecisions = async (tool: string): Promise<Decision[]> =>
    (await service.call('GET', `/v1/workspaces/${service.workspaceId}/decisions?tool_name=${tool}`)).json as Decision[]

  return {
    service,
    send,
    listDecisions,
    /** Sends executions of a tool, in the order of their times. */
    async remember(tool: PastTool, calls: readonly PastCall[]): Promise<void> {
      await send(await Promise.all(calls.map(async (call) => await past.execute(tool, call))))
    },
    execute: past.execute,
    /** Opens a client of these keys; it is shut down with the test. */
    openClient(t: ExecutionContext, options: ClientOptions): Tracewright {
      const client = createTracewright({
        baseUrl: service.baseUrl,
        random: neverHeldOut,
        ...options,
        apiKey: service.key,
        encryptionKeys: { current: { keyId: keys.keyId, key: keys.encryptionKey } },
        hashKey: keys.hashKey,
        flushIntervalMs: 20,
        // The machine may stand still; this test is about what is served, not how fast.
        deadlineMs: 10_000,
      })
      t.teardown(async () => await client.shutdown())
      return client
    },
    /** Returns the first decision on the tool in this state. If the state is active, clients that fetch rules from now on get its rule. */
    async untilState(tool: string, state: string): Promise<Decision> {
      let found: Decision | undefined
      await until(async () => {
        found = (await listDecisions(tool)).find((decision) => decision.state === state)
        return found !== undefined
      }, deadlineMs)
      // The commit is visible before the fronts are notified, and rules of other tools make a client believe that it holds this one.
      const isHandedOut = async (): Promise<boolean> =>
        (await service.call('GET', '/v1/apply/rules', { token: service.key })).text.includes(found?.id ?? '')
      if (state === 'active') await until(isHandedOut, deadlineMs)
      return found as Decision
    },
    /** Resolves when the client holds rules, of this moment or later. */
    untilRules: async (client: Tracewright): Promise<void> => await until(() => client.stats().rules > 0, deadlineMs),
    stop: service.stop,
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

/**
 * Returns six days of a tool that gives the same result for the same input, ending a minute ago: the first input once in `everyMs`, and the
 * others as often in the last hours. The highest age that this proves is the one of which the days hold 80 periods: an hour.
 */
export function sixDays(
  inputs: readonly unknown[],
  resultOf: (input: unknown) => unknown,
  everyMs = 30 * minuteMs,
): PastCall[] {
  const endMs = Date.now() - minuteMs
  const beganMs = endMs - 6 * dayMs
  const calls: PastCall[] = []
  for (let atMs = beganMs; atMs < endMs; atMs += everyMs)
    inputs.forEach((input, at) => {
      const startMs = atMs + at * 200
      if (at === 0 || startMs > endMs - dayMs / 4) calls.push({ input, result: resultOf(input), startMs })
    })
  return calls
}

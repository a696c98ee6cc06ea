// Six days of executions of the story's tools, as the client of its agents would have sent them at the time.
import { openPast, type PastCall, type PastKeys, type PastTool } from '../../_kit/past-executions.ts'
import { makeSpan, type OtlpSpan } from '../../_kit/spans.ts'
import type { Chance } from '../chance.ts'
import { briefer, costsUsd, quoter, type ToolName } from './cast.ts'
import { bases, type Market, topics } from './market.ts'
import { modelName } from './model.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const days = 6
const dayMs = 24 * 60 * minuteMs
const rateEveryMs = 10 * minuteMs
const guideEveryMs = 10 * minuteMs
const newsEveryMs = 30 * minuteMs

/** Which of the three rates of a quote is requested, and when. It repeats after seconds, after a minute, and in the next quotes. */
const ratesOfQuote = [
  { nth: 0, afterS: 0 },
  { nth: 1, afterS: 1 },
  { nth: 2, afterS: 2 },
  { nth: 0, afterS: 4 },
  { nth: 1, afterS: 30 },
  { nth: 0, afterS: 45 },
]
const newsAfterS = [0, 3, 6, 9, 12]

export type Past = { readonly spans: readonly OtlpSpan[]; readonly executions: ReadonlyMap<ToolName, number> }

export type PastOptions = {
  readonly keys: PastKeys
  readonly market: Market
  readonly chance: Chance
  /** Random numbers for ids only. */
  readonly ids: Chance
  readonly nowMs: number
}

/** Returns the executions, fewer than one request may hold. The same random numbers give the same past, which ends at the last full ten minutes. */
export async function tellPast({ keys, market, chance, ids, nowMs }: PastOptions): Promise<Past> {
  const past = openPast(keys)
  const tools = {
    exchange_rates: { name: 'exchange_rates', agentName: quoter, costUsd: costsUsd.exchange_rates },
    headlines: { name: 'headlines', agentName: briefer, costUsd: costsUsd.headlines },
    style_guide: { name: 'style_guide', agentName: briefer, claims: ['unread'], costUsd: costsUsd.style_guide },
    get_tax_rates: { name: 'get_tax_rates', agentName: quoter, claims: [], costUsd: costsUsd.get_tax_rates },
  } satisfies Record<ToolName, PastTool>
  const told: { readonly tool: ToolName; readonly call: PastCall }[] = []
  const beganMs = Math.floor(nowMs / rateEveryMs) * rateEveryMs - days * dayMs
  const newRun = () => ({ traceId: ids.hex(16), sessionId: `session-${ids.hex(8)}` })

  for (let nth = 0; nth < (days * dayMs) / rateEveryMs; nth += 1) {
    const startMs = beganMs + nth * rateEveryMs
    const run = newRun()
    for (const { nth: of, afterS } of ratesOfQuote) {
      const base = bases[(5 * nth + 4 * of) % bases.length] ?? ''
      const call = {
        ...run,
        input: { base },
        result: market.rateNow(base),
        startMs: startMs + afterS * secondMs,
        durationMs: 130,
      }
      told.push({ tool: 'exchange_rates', call })
    }
    const country = 'DE'
    const call = {
      ...run,
      input: { country },
      result: market.taxRateNow(country),
      startMs: startMs + 5 * secondMs,
      durationMs: 30,
    }
    told.push({ tool: 'get_tax_rates', call })
  }
  const prompts: OtlpSpan[] = []
  for (let nth = 0; nth < (days * dayMs) / guideEveryMs; nth += 1) {
    const startMs = beganMs + nth * guideEveryMs
    const document = `brief-${ids.hex(4)}`
    const call = { ...newRun(), callId: `call_${ids.hex(8)}`, input: { document }, startMs, durationMs: 75 }
    told.push({ tool: 'style_guide', call: { ...call, result: market.styleGuideNow(document) } })
    prompts.push(consume(call))
  }
  for (let nth = 0; nth < (days * dayMs) / newsEveryMs; nth += 1) {
    const startMs = beganMs + nth * newsEveryMs + chance.between(0, 20_000)
    const run = newRun()
    const topic = topics[nth % topics.length] ?? ''
    for (const afterS of newsAfterS) {
      const atMs = startMs + afterS * secondMs
      const result = market.headlineAt(topic, atMs + 35)
      told.push({ tool: 'headlines', call: { ...run, input: { topic }, result, startMs: atMs, durationMs: 35 } })
    }
  }

  const spans = await Promise.all(told.map(async ({ tool, call }) => await past.execute(tools[tool], call)))
  const executions = new Map<ToolName, number>()
  for (const { tool } of told) executions.set(tool, (executions.get(tool) ?? 0) + 1)
  return { spans: [...spans, ...prompts], executions }
}

/** Returns the model call that has the result of this call in its prompt, and does not use it. */
const consume = (call: Pick<PastCall, 'startMs'> & { traceId: string; sessionId: string; callId: string }): OtlpSpan =>
  makeSpan({
    traceId: call.traceId,
    name: `chat ${modelName}`,
    kind: 3,
    start: call.startMs + 100,
    durationMs: 40,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': modelName,
      'gen_ai.agent.name': briefer,
      'gen_ai.conversation.id': call.sessionId,
      'gen_ai.usage.input_tokens': 1_400,
      'gen_ai.usage.output_tokens': 60,
      'tracewright.consumed_tool_call_ids': [call.callId],
    },
  })

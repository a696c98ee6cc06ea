// The fleet of the story: two agents, their tools wrapped by the real client library, and the outcome of each call.
import { createHash } from 'node:crypto'
import { canonicalInput } from '../../../sdk/src/call-hashes.ts'
import { makeHasher } from '../../../sdk/src/keyed-hash.ts'
import type { ToolCall, ToolOptions, Tracewright } from '../../../sdk/src/tracewright.ts'
import { createTracewright } from '../../../sdk/src/tracewright.ts'
import type { PastKeys } from '../../_kit/past-executions.ts'
import type { Chance } from '../chance.ts'
import { briefer, costsUsd, quoter, type ToolName } from './cast.ts'
import { bases, type Headline, type Market, type Rate, topics } from './market.ts'
import { askModel, type Message } from './model.ts'

/** Counts of one tool so far. */
export type Tally = {
  served: number
  /** Served results that differ from what the tool would have returned then. */
  wrong: number
  /** Calls that ran for real since the last served one. */
  realInARow: number
}

export type Asked = { readonly rate: Rate; readonly isServed: boolean }

export type Desk = {
  readonly client: Tracewright
  readonly tallies: Readonly<Record<ToolName, Tally>>
  /** Runs one of the agents once, in a new session. */
  work(): Promise<void>
  askRate(base: string): Promise<Asked>
  /** Invalidates the earlier executions for this base. Returns false if the service has not accepted it. */
  invalidateRate(base: string): Promise<boolean>
  /** The hash by which the client identifies this input to the service. */
  hashRateInput(base: string): string
}

// A demo has no secrets; real keys never leave their owner.
const keyOf = (purpose: string): Uint8Array => createHash('sha256').update(`the demo fleet's key: ${purpose}`).digest()
export const deskKeys: PastKeys = { hashKey: keyOf('hashes'), encryptionKey: keyOf('encryption'), keyId: 'demo-2026' }

const ratesInQuote = 3
const system: Message = {
  role: 'system',
  content: `You write for the clients of a trading house. ${'Be brief, be exact, and quote what you were given. '.repeat(90)}`,
}

type Wanted = { readonly name: ToolName; readonly run: (callId: string) => Promise<unknown> }

export function openDesk(url: string, apiKey: string, market: Market, chance: Chance): Desk {
  const client = createTracewright({
    baseUrl: url,
    apiKey,
    agentName: 'trading-desk',
    encryptionKeys: { current: { keyId: deskKeys.keyId, key: deskKeys.encryptionKey } },
    hashKey: deskKeys.hashKey,
    // A result that arrives too late is not requested again, since by then the memory of the process has the tool's own. On a busy machine
    // this may happen for every currency, and the story would wait forever for a result from the service.
    deadlineMs: 10_000,
  })
  const newTally = (): Tally => ({ served: 0, wrong: 0, realInARow: 0 })
  const tallies: Record<ToolName, Tally> = {
    exchange_rates: newTally(),
    headlines: newTally(),
    style_guide: newTally(),
    get_tax_rates: newTally(),
  }

  /** Wraps a tool, and counts calls on both sides of the wrapper. `now`: what the tool would return. */
  function makeTool<Input, Output>(
    name: ToolName,
    fn: (input: Input) => Promise<Output>,
    now: (input: Input) => Output,
    attested: ToolOptions<Input, Output>,
  ) {
    const tally = tallies[name]
    type Call = ToolCall & { ran?: boolean }
    const options: ToolOptions<Input, Output> = { ...attested, costUsd: costsUsd[name] }
    const wrapped = client.tool<Input, Output, Call>(
      name,
      async (input, call) => {
        call.ran = true
        return await fn(input)
      },
      options,
    )
    const ask = async (input: Input, callId?: string): Promise<{ result: Output; isServed: boolean }> => {
      const call: Call = callId === undefined ? {} : { callId }
      const result = await wrapped(input, call)
      const isServed = call.ran !== true
      tally.realInARow = isServed ? 0 : tally.realInARow + 1
      if (!isServed) return { result, isServed }
      tally.served += 1
      if (JSON.stringify(result) !== JSON.stringify(now(input))) tally.wrong += 1
      return { result, isServed }
    }
    return { ask, invalidate: wrapped.invalidate }
  }

  const rates = makeTool(
    'exchange_rates',
    async ({ base }: { base: string }) => await market.rate(base),
    ({ base }) => market.rateNow(base),
    { attest: true },
  )
  const headlines = makeTool(
    'headlines',
    async ({ topic }: { topic: string }) => await market.headline(topic),
    ({ topic }) => market.headlineAt(topic, Date.now()),
    { attest: true },
  )
  // Its results go only to the model, and the program names a replacement for a result that the model does not use.
  const guide = makeTool(
    'style_guide',
    async ({ document }: { document: string }) => await market.styleGuide(document),
    ({ document }) => market.styleGuideNow(document),
    { attest: { unread: { serve: ({ document }) => ({ document, rules: 'none' }) } }, consumedBy: 'model' },
  )
  const tax = makeTool(
    'get_tax_rates',
    async ({ country }: { country: string }) => await market.taxRate(country),
    ({ country }) => market.taxRateNow(country),
    {},
  )

  /** Two calls of the model: one that requests tools, and one that has their results in its prompt. */
  async function converse(
    question: string,
    wanted: readonly Wanted[],
    write: (results: readonly unknown[]) => string,
  ): Promise<void> {
    const asked = wanted.map((one) => ({ ...one, callId: `call_${chance.hex(8)}` }))
    const opening: Message[] = [system, { role: 'user', content: question }]
    const toolCalls = asked.map(({ callId, name }) => ({ id: callId, type: 'function', function: { name } }))
    const wanting = { role: 'assistant', content: null, tool_calls: toolCalls } as const
    await askModel(client, chance, opening, 1, wanting)
    const results = await Promise.all(asked.map(async ({ run, callId }) => await run(callId)))
    const given = results.map(
      (result, at): Message => ({
        role: 'tool',
        tool_call_id: asked[at]?.callId ?? '',
        content: JSON.stringify(result),
      }),
    )
    const messages = [...opening, wanting, ...given]
    await askModel(client, chance, messages, opening.length, { role: 'assistant', content: write(results) })
  }

  /** Returns `count` different bases. */
  function pickBases(count: number): string[] {
    const first = chance.int(bases.length)
    return Array.from({ length: count }, (_, nth) => bases[(first + nth * 5) % bases.length] ?? '')
  }

  async function writeQuote(sessionId: string): Promise<void> {
    const wanted = pickBases(ratesInQuote).map(
      (base): Wanted => ({
        name: 'exchange_rates',
        run: async (callId) => (await rates.ask({ base }, callId)).result,
      }),
    )
    const taxes: Wanted = {
      name: 'get_tax_rates',
      run: async (callId) => (await tax.ask({ country: 'DE' }, callId)).result,
    }
    await client.agent(quoter, { sessionId, taskType: 'quote.write' }, async () => {
      await converse('Quote twenty pumps for a client abroad.', [...wanted, taxes], (results) =>
        JSON.stringify(results),
      )
    })
  }

  async function writeBrief(sessionId: string): Promise<void> {
    const topic = chance.pick(topics)
    const news: Wanted = { name: 'headlines', run: async (callId) => (await headlines.ask({ topic }, callId)).result }
    const document = `brief-${chance.hex(4)}`
    const rules: Wanted = { name: 'style_guide', run: async (callId) => (await guide.ask({ document }, callId)).result }
    await client.agent(briefer, { sessionId, taskType: 'brief.write' }, async () => {
      await converse('What do clients have to know this minute?', [news, rules], ([lead]) => (lead as Headline).lead)
    })
  }

  const newSession = (): string => `session-${chance.hex(8)}`
  return {
    client,
    tallies,
    work: async () => await (chance.chance(0.5) ? writeQuote : writeBrief)(newSession()),
    async askRate(base) {
      const asking = { sessionId: newSession(), taskType: 'quote.write' }
      const { result, isServed } = await client.agent(quoter, asking, async () => await rates.ask({ base }))
      return { rate: result, isServed }
    },
    invalidateRate: async (base) => await rates.invalidate({ base }),
    hashRateInput(base) {
      const subject = { version: null, scope: null }
      return makeHasher(deskKeys.hashKey).ofInput('exchange_rates', subject, canonicalInput({ base }) ?? '')
    },
  }
}

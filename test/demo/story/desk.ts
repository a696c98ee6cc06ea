// The fleet of the story: two agents, their four tools, and what became of each call. Tools are wrapped by the real client library.
import { createHash } from 'node:crypto'
import type { Tool, ToolCall, ToolOptions, Tracewright } from '../../../sdk/src/tracewright.ts'
import { createTracewright } from '../../../sdk/src/tracewright.ts'
import type { Chance } from '../chance.ts'
import type { Market, Rates } from './market.ts'
import { askModel, type Message } from './model.ts'

export const toolNames = ['exchange_rates', 'headlines', 'style_guide', 'get_tax_rates'] as const
export type ToolName = (typeof toolNames)[number]

/** Of one tool, so far. */
export type Tally = {
  served: number
  /** Calls that ran for real since the last one that was served. */
  realInARow: number
  /** Unix milliseconds of the last one that was served; null: none was. */
  lastServedMs: number | null
}

export type Desk = {
  readonly client: Tracewright
  readonly tallies: Readonly<Record<ToolName, Tally>>
  /** One run of one of the agents, a session of its own. */
  work(): Promise<void>
  /** One call outside of any session. */
  askRates(): Promise<{ readonly rates: Rates; readonly isServed: boolean }>
}

const base = 'EUR'
// A demo has no secrets; real keys never leave their owner.
const keyOf = (purpose: string): Uint8Array => createHash('sha256').update(`the demo fleet's key: ${purpose}`).digest()

const system: Message = {
  role: 'system',
  content: `You write for the clients of a trading house. ${'Be brief, be exact, and quote what you were given. '.repeat(90)}`,
}

export function openDesk(url: string, apiKey: string, market: Market, chance: Chance): Desk {
  const client = createTracewright({
    baseUrl: url,
    apiKey,
    agentName: 'trading-desk',
    encryptionKeys: { current: { keyId: 'demo-2026', key: keyOf('encryption') } },
    hashKey: keyOf('hashes'),
  })
  const newTally = (): Tally => ({ served: 0, realInARow: 0, lastServedMs: null })
  const tallies: Record<ToolName, Tally> = {
    exchange_rates: newTally(),
    headlines: newTally(),
    style_guide: newTally(),
    get_tax_rates: newTally(),
  }

  /** Wraps a tool, and counts on both sides of the wrapping. */
  function makeTool<Input, Output>(
    name: ToolName,
    fn: (input: Input) => Promise<Output>,
    options: ToolOptions<Input, Output>,
  ) {
    const tally = tallies[name]
    const wrapped: Tool<Input, Output, ToolCall & { ran?: boolean }> = client.tool(
      name,
      async (input: Input, call: ToolCall & { ran?: boolean }) => {
        call.ran = true
        return await fn(input)
      },
      options,
    )
    return async (input: Input, callId?: string): Promise<{ result: Output; isServed: boolean }> => {
      const call: ToolCall & { ran?: boolean } = callId === undefined ? {} : { callId }
      const result = await wrapped(input, call)
      const isServed = call.ran !== true
      if (isServed) {
        tally.served += 1
        tally.realInARow = 0
        tally.lastServedMs = Date.now()
      } else {
        tally.realInARow += 1
      }
      return { result, isServed }
    }
  }

  const rates = makeTool('exchange_rates', async ({ base: of }: { base: string }) => await market.rates(of), {
    attest: true,
    costUsd: 0.01,
  })
  const headlines = makeTool('headlines', async ({ topic }: { topic: string }) => await market.headlines(topic), {
    attest: true,
    costUsd: 0.004,
  })
  const guide = makeTool('style_guide', async ({ document: of }: { document: string }) => await market.styleGuide(of), {
    attest: { sameInput: true, unread: { serve: ({ document }) => ({ document, rules: 'none' }) } },
    consumedBy: 'model',
    costUsd: 0.002,
  })
  const tax = makeTool('get_tax_rates', async ({ country }: { country: string }) => await market.taxRate(country), {
    costUsd: 0.001,
  })

  /** Two calls of the model: one that asks for tools, one that has their results in its prompt. */
  async function converse(
    question: string,
    asked: readonly { readonly callId: string; readonly name: ToolName; readonly run: () => Promise<unknown> }[],
    write: (results: readonly unknown[]) => string,
  ): Promise<void> {
    const opening: Message[] = [system, { role: 'user', content: question }]
    const toolCalls = asked.map(({ callId, name }) => ({ id: callId, type: 'function', function: { name } }))
    const wanting = { role: 'assistant', content: null, tool_calls: toolCalls } as const
    await askModel(client, chance, opening, 1, wanting)
    const results = await Promise.all(asked.map(async ({ run }) => await run()))
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

  async function writeQuote(sessionId: string): Promise<void> {
    const document = `quote-${chance.hex(4)}`
    const [rateCall, guideCall, taxCall] = [0, 1, 2].map(() => `call_${chance.hex(8)}`) as [string, string, string]
    await client.agent('quote-writer', { sessionId, taskType: 'quote.write' }, async () => {
      await converse(
        'Quote twenty pumps for a client abroad.',
        [
          { callId: rateCall, name: 'exchange_rates', run: async () => (await rates({ base }, rateCall)).result },
          { callId: guideCall, name: 'style_guide', run: async () => (await guide({ document }, guideCall)).result },
          { callId: taxCall, name: 'get_tax_rates', run: async () => (await tax({ country: 'DE' }, taxCall)).result },
        ],
        ([of, , vat]) => `At ${(of as Rates).USD} dollars for one euro; VAT is ${JSON.stringify(vat)}.`,
      )
    })
  }

  async function writeBrief(sessionId: string): Promise<void> {
    const document = `brief-${chance.hex(4)}`
    const [rateCall, guideCall, newsCall] = [0, 1, 2].map(() => `call_${chance.hex(8)}`) as [string, string, string]
    await client.agent('market-briefer', { sessionId, taskType: 'brief.write' }, async () => {
      await converse(
        'What do clients have to know this minute?',
        [
          { callId: rateCall, name: 'exchange_rates', run: async () => (await rates({ base }, rateCall)).result },
          { callId: guideCall, name: 'style_guide', run: async () => (await guide({ document }, guideCall)).result },
          {
            callId: newsCall,
            name: 'headlines',
            run: async () => (await headlines({ topic: 'markets' }, newsCall)).result,
          },
        ],
        ([of, , news]) => `${JSON.stringify(news)}. The euro stands at ${(of as Rates).USD} dollars.`,
      )
    })
  }

  return {
    client,
    tallies,
    work: async () => await (chance.chance(0.5) ? writeQuote : writeBrief)(`session-${chance.hex(8)}`),
    async askRates() {
      const { result, isServed } = await rates({ base })
      return { rates: result, isServed }
    },
  }
}

// A model that answers at once: in the format and with the usage figures of a real one, including its prompt cache.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tracewright } from '../../../sdk/src/tracewright.ts'
import type { Chance } from '../chance.ts'

export type Message =
  | { readonly role: 'user' | 'system'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly object[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export const modelName = 'gpt-4o-mini'
const charsPerToken = 4
const cacheStep = 128
const minCached = 1_024

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / charsPerToken)

/** Reports one call to the client; `known`: how many of the messages the provider has in its cache. */
export async function askModel(
  client: Tracewright,
  chance: Chance,
  messages: readonly Message[],
  known: number,
  answer: Extract<Message, { role: 'assistant' }>,
): Promise<void> {
  const cached = Math.floor(tokensOf(messages.slice(0, known)) / cacheStep) * cacheStep
  await client.llm({ provider: 'openai', model: modelName, messages }, async () => {
    await sleep(chance.between(20, 60))
    return {
      id: `chatcmpl-${chance.hex(12)}`,
      model: `${modelName}-2024-07-18`,
      choices: [{ finish_reason: answer.tool_calls === undefined ? 'stop' : 'tool_calls', message: answer }],
      usage: {
        prompt_tokens: tokensOf(messages),
        completion_tokens: tokensOf(answer),
        prompt_tokens_details: { cached_tokens: cached < minCached ? 0 : cached },
      },
    }
  })
}

// The price of a model whose provider nobody names, where only one maker of models has it.
import { calcPrice, type PriceCalculation } from '@pydantic/genai-prices'

/**
 * The price lists of those who make models. Those who only run them (Azure, Groq, OpenRouter) are left out: they repeat a
 * maker's models, and an open model that just one of them lists may have run on any machine.
 */
export const makers: readonly string[] =
  'openai anthropic google mistral cohere deepseek x-ai perplexity voyageai moonshotai minimax zhipuai arcee'.split(' ')

/**
 * The model of this name in the only maker's list that knows it; null where none does, or several. Without a provider the
 * library itself finds only models whose names begin as most of their maker's do. Cost: 0.1 ms, so keep what it gives.
 */
export function findAtSoleMaker(name: string): PriceCalculation | null {
  let only: PriceCalculation | null = null
  for (const providerId of makers) {
    const found = calcPrice({}, name, { providerId })
    if (found === null) continue
    if (only !== null) return null
    only = found
  }
  return only
}

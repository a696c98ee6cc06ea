// Finds the price of a model without a known provider, if exactly one maker of models lists it.
import { calcPrice, type PriceCalculation } from '@pydantic/genai-prices'

/**
 * The price lists of companies that make models. Companies that only run models (Azure, Groq, OpenRouter) are left out: they repeat the
 * models of makers, and an open model that only one of them lists may have run on any machine.
 */
export const makers: readonly string[] =
  'openai anthropic google mistral cohere deepseek x-ai perplexity voyageai moonshotai minimax zhipuai arcee'.split(' ')

/**
 * Returns the model of this name if exactly one maker's list contains it, else null. The library itself, without a provider, finds only
 * models whose names begin like most names of their maker. Takes 0.1 ms, so cache the result.
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

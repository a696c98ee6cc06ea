// Reads the cost that the sender reports. It replaces the computed cost only where no price list has the model.
import type { Kind, Usage } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import type { Names } from '../../event/names.ts'
import type { Attributes } from '../../event/span.ts'
import { firstAnswer } from '../asked-reads.ts'
import { among } from '../attribute.ts'
import type { Reading } from '../reading.ts'
import { maxCostUsd, readAmount } from './count.ts'

function firstCost(attributes: Attributes, names: Names, flags: Set<Flag>): number | null {
  for (const key of among(attributes, names)) {
    const cost = readAmount(attributes.get(key), maxCostUsd, flags)
    if (cost !== null) return cost
  }
  return null
}

/** Returns the reported total, else the sum of the parts. */
function readDetailedCost(reading: Reading): number | null {
  const details = reading.object(reading.dialects.names.costDetails)
  if (details === null) return null
  const total = readAmount(details['total'] ?? details['total_cost'], maxCostUsd, reading.flags)
  if (total !== null) return total
  let sum: number | null = null
  for (const value of Object.values(details)) {
    const part = readAmount(value, maxCostUsd, reading.flags)
    if (part !== null) sum = (sum ?? 0) + part
  }
  return sum
}

/**
 * Whether a cost of 0 states nothing. A sender that has no price for the model, or no counts, reports 0. Only the price lists know which
 * models are free.
 */
const isUnknownPrice = (costUsd: number, kind: Kind, { inputTokens, outputTokens }: Usage): boolean =>
  costUsd === 0 && (kind === 'llm' || kind === 'embedding' || (inputTokens ?? 0) + (outputTokens ?? 0) > 0)

/**
 * Returns the sender's cost in USD, from 0 to a million, and sets `cost_provided`. Returns null where the sender reports no cost, or a cost
 * of 0 for a model call or with tokens. Cost: 7 look-ups.
 */
export function readProvidedCostUsd(reading: Reading, kind: Kind, usage: Usage): number | null {
  const { attributes, flags } = reading
  const { names } = reading.dialects
  let cost = readDetailedCost(reading) ?? firstCost(attributes, names.cost, flags)
  if (cost === null) {
    const input = firstCost(attributes, names.inputCost, flags)
    const output = firstCost(attributes, names.outputCost, flags)
    if (input !== null || output !== null) cost = (input ?? 0) + (output ?? 0)
  }
  cost ??= firstAnswer(reading, reading.dialects.reads.costUsd)
  if (cost === null || isUnknownPrice(cost, kind, usage)) return null
  flags.add('cost_provided')
  return cost
}

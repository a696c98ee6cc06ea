// Floor 1. The cost that the sender itself names, which is never mixed with the computed one.
import type { Attributes, Flag } from '../../span.ts'
import type { Reading } from '../reading.ts'
import { readAmount } from './count.ts'

/** US dollars beyond what one span can cost. */
const maxCostUsd = 1_000_000

const costNames = ['gen_ai.usage.cost', 'gen_ai.usage.total_cost', 'llm.cost.total', 'operation.cost']

function costAt(attributes: Attributes, name: string, flags: Set<Flag>): number | null {
  const value = attributes.get(name)
  return value === undefined ? null : readAmount(value, maxCostUsd, flags)
}

function readLangfuseCost(reading: Reading): number | null {
  const details = reading.object('langfuse.observation.cost_details')
  if (details === null) return null
  const total = readAmount(details['total'], maxCostUsd, reading.flags)
  if (total !== null) return total
  let sum: number | null = null
  for (const value of Object.values(details)) {
    const part = readAmount(value, maxCostUsd, reading.flags)
    if (part !== null) sum = (sum ?? 0) + part
  }
  return sum
}

/** The sender's cost in USD, 0 to a million; null where it names none. Sets `cost_provided`. Cost: 7 look-ups. */
export function readProvidedCostUsd(reading: Reading): number | null {
  const { attributes, flags } = reading
  let cost = readLangfuseCost(reading)
  for (const name of costNames) cost ??= costAt(attributes, name, flags)
  if (cost === null) {
    const input = costAt(attributes, 'gen_ai.usage.input_cost', flags)
    const output = costAt(attributes, 'gen_ai.usage.output_cost', flags)
    if (input !== null || output !== null) cost = (input ?? 0) + (output ?? 0)
  }
  if (cost !== null) flags.add('cost_provided')
  return cost
}

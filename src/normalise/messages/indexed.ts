// Reads messages that are flattened into attributes with an index in their name, as by OpenInference and Traceloop.
import type { Flag } from '../../event/flag.ts'
import type { Attributes, AttributeValue } from '../../event/span.ts'
import { toPlain } from '../attribute.ts'
import { maxMessages } from './list.ts'

/** The most steps in a flattened name; OpenInference's deepest name has eight. */
const maxSteps = 12

type Tree = Map<string, Tree | AttributeValue>

/** Steps that only wrap a value, as in `llm.input_messages.0.message.role`. A level with such a step alone is replaced by the value. */
const repeats: ReadonlySet<string> = new Set(['message', 'message_content', 'tool_call'])

const isIndex = (step: string) => /^\d{1,9}$/.test(step)

/** Stores a value at its path. A value with an index beyond the limit is skipped: a sender once claimed nine million messages. */
function place(tree: Tree, steps: readonly string[], value: AttributeValue, flags: Set<Flag>): void {
  if (steps.length > maxSteps || steps.some((step) => isIndex(step) && Number(step) >= maxMessages)) {
    flags.add('truncated')
    return
  }
  let at = tree
  for (const step of steps.slice(0, -1)) {
    let next = at.get(step)
    if (!(next instanceof Map)) {
      next = new Map()
      at.set(step, next)
    }
    at = next
  }
  const last = steps[steps.length - 1] ?? ''
  if (!at.has(last)) at.set(last, value)
}

function toNested(tree: Tree | AttributeValue, flags: Set<Flag>): unknown {
  if (!(tree instanceof Map)) return toPlain(tree, flags)
  const entries = [...tree] as [string, Tree | AttributeValue][]
  if (entries.every(([step]) => isIndex(step))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, member]) => toNested(member, flags))
  }
  const [only] = entries
  if (entries.length === 1 && only !== undefined && repeats.has(only[0])) return toNested(only[1], flags)
  return Object.fromEntries(entries.map(([step, member]) => [step, toNested(member, flags)]))
}

/**
 * Returns the list that the attributes `<prefix><index>.<path>` form, in the order of the indexes; null where there are none. Indexes from
 * 1,000 on are skipped and set `truncated`. Cost: one pass over the names.
 */
export function readIndexed(attributes: Attributes, prefix: string, flags: Set<Flag>): unknown[] | null {
  let tree: Tree | undefined
  for (const [name, value] of attributes) {
    if (!name.startsWith(prefix)) continue
    const steps = name.slice(prefix.length).split('.', maxSteps + 1)
    if (!isIndex(steps[0] ?? '')) continue
    tree ??= new Map()
    place(tree, steps, value, flags)
  }
  if (tree === undefined || tree.size === 0) return null
  const list = toNested(tree, flags)
  return Array.isArray(list) ? list : null
}

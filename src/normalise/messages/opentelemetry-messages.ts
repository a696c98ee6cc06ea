// Reads messages in the attributes of the current OpenTelemetry conventions, on a span or an event.
import type { Message } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../event/names.ts'
import type { Attributes, AttributeValue } from '../../event/span.ts'
import { firstPresent, toPlain } from '../attribute.ts'
import { structureOr } from '../json.ts'
import { maxMessages, readMessages } from './list.ts'

const systemNames = anyOf('gen_ai.system_instructions')
const messageNames = {
  /** The second name is Sentry's draft of the first. */
  input: anyOf('gen_ai.input.messages', 'gen_ai.request.messages'),
  output: anyOf('gen_ai.output.messages'),
}

/** Returns the input or output messages; system instructions precede the input. Null where there are neither messages nor instructions. */
export function readStandard(attributes: Attributes, way: 'input' | 'output', flags: Set<Flag>): Message[] | null {
  const value = firstPresent(attributes, messageNames[way])
  const system = way === 'input' ? firstPresent(attributes, systemNames) : undefined
  if (value === undefined && system === undefined) return null
  const messages =
    value === undefined ? [] : readMessages(plain(value, flags), way === 'input' ? 'user' : 'assistant', flags)
  if (system === undefined || messages[0]?.role === 'system') return messages
  const content = structureOr(plain(system, flags), flags)
  return [...readMessages({ role: 'system', content }, 'system', flags), ...messages].slice(0, maxMessages)
}

const plain = (value: AttributeValue, flags: Set<Flag>): unknown =>
  typeof value === 'string' ? value : toPlain(value, flags)

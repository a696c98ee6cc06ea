// Messages in the normal form of the API, and which of them are new.

export type MessagePart = { readonly type: string; readonly [field: string]: unknown }
export type Message = { readonly role: string; readonly parts: readonly MessagePart[] }

/** A part as it is shown. A part of an unknown type is shown as JSON. */
export type Part =
  | { readonly form: 'text' | 'reasoning'; readonly text: string }
  | { readonly form: 'call'; readonly id: string | null; readonly name: string; readonly value: unknown }
  | { readonly form: 'result'; readonly id: string | null; readonly value: unknown }
  | { readonly form: 'media'; readonly url: string | null; readonly mime: string | null; readonly bytes: number | null }
  | { readonly form: 'other'; readonly value: unknown }

const textOr = <T>(value: unknown, fallback: T): string | T => (typeof value === 'string' ? value : fallback)
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export function readPart(part: MessagePart): Part {
  const text = textOr(part['text'], null)
  if ((part.type === 'text' || part.type === 'reasoning') && text !== null) return { form: part.type, text }
  const id = textOr(part['id'], null)
  if (part.type === 'tool_call')
    return { form: 'call', id, name: textOr(part['name'], ''), value: part['arguments'] ?? null }
  if (part.type === 'tool_result') return { form: 'result', id, value: part['result'] ?? null }
  if (part.type === 'image' || part.type === 'blob')
    return {
      form: 'media',
      url: textOr(part['url'], null),
      mime: textOr(part['mime_type'], null),
      bytes: numberOrNull(part['bytes']),
    }
  return { form: 'other', value: part }
}

/**
 * Returns how many of the first messages were also in the agent's previous call: its input, then its output.
 */
export function countKnown(
  messages: readonly Message[],
  previousInput: readonly Message[],
  previousOutput: readonly Message[],
): number {
  const before = [...previousInput, ...previousOutput]
  let known = 0
  while (known < messages.length && known < before.length && isSame(messages[known], before[known])) known += 1
  return known
}

const isSame = (a: Message | undefined, b: Message | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns how many messages to show at the start and at the end of a list; the middle of a long list is folded. */
export function foldMiddle(count: number, maxShown = 20): { readonly head: number; readonly tail: number } {
  if (count <= maxShown) return { head: count, tail: 0 }
  return { head: Math.floor(maxShown / 4), tail: maxShown - Math.floor(maxShown / 4) }
}

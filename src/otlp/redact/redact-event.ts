// Floor 1. An event without what its workspace's content mode does not let be kept: every text of it that becomes a column goes through here.
import type { EncryptedResult, Event, ToolRequest } from '../../event/event.ts'
import type { ContentMode } from './content-mode.ts'
import { mapShared } from './map-shared.ts'
import type { Redactor } from './redactor.ts'
import { isSuspicious } from './suspicion.ts'

/** What a thing is called: only what is found in it is replaced. */
const nameFields = [
  'name',
  'operation',
  'scopeName',
  'scopeVersion',
  'errorType',
  'agentOwn',
  'agentFallback',
  'agentVersion',
  'taskType',
  'environment',
  'provider',
  'requestModel',
  'model',
  'toolName',
  'toolVersion',
] as const satisfies readonly (keyof Event)[]

/** What is only compared: replaced whole, so that nothing is confused with anything else. */
const idFields = [
  'sessionId',
  'userId',
  'responseId',
  'toolCallId',
  'inputHash',
  'contentHash',
  'scopeHash',
] as const satisfies readonly (keyof Event)[]

export type EventRedactor = {
  /** The event itself where nothing changes; a changed one shares its flags. About 2 µs, most of it for ids that were not seen before. */
  keep(event: Event): Event
  /** Before a request. */
  begin(mode: ContentMode, redactor: Redactor): void
}

/** Of one request; where there are more, they are forgotten and looked at again. */
const maxRemembered = 8_192
/** Bytes of a text that is judged without the redactor. */
const scratchBytes = 4_096
const scratch = Buffer.allocUnsafe(scratchBytes)

type TextField = (typeof nameFields)[number] | (typeof idFields)[number]
type Changes = { -readonly [field in keyof Event]?: Event[field] }

/** Names come again with every span: the answer for each is remembered, and most are told to be harmless from their bytes. */
function openMemory(redact: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  const isHarmless = (text: string): boolean =>
    text.length * 3 <= scratchBytes && !isSuspicious(scratch, 0, scratch.write(text))
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const kept = isHarmless(text) ? text : redact(text)
    if (known.size >= maxRemembered) known.clear()
    known.set(text, kept)
    return kept
  }
}

/** For the events of one request after the other. */
export function openEventRedactor(firstMode: ContentMode, firstRedactor: Redactor): EventRedactor {
  let mode = firstMode
  let redactor = firstRedactor
  let keepName = openMemory(firstRedactor.name)
  let keepId = openMemory(firstRedactor.id)

  function keepRequest(request: ToolRequest): ToolRequest {
    const name = keepName(request.name)
    const id = request.id === null ? null : keepId(request.id)
    return name === request.name && id === request.id ? request : { id, name }
  }

  function keepEncrypted(encrypted: EncryptedResult | null): EncryptedResult | null {
    if (encrypted === null) return null
    const keyId = keepId(encrypted.keyId)
    return keyId === encrypted.keyId ? encrypted : { ...encrypted, keyId }
  }

  /** An error message often quotes what the caller sent. */
  function keepMessage(message: string | null): string | null {
    if (message === null || mode === 'none') return null
    return redactor.text(message).text
  }

  function keepAll(changes: Changes, event: Event, fields: readonly TextField[], keep: (text: string) => string): void {
    for (const field of fields) {
      const text = event[field]
      const kept = text === null ? null : keep(text)
      if (kept !== null && kept !== text) changes[field] = kept
    }
  }

  function listChanges(event: Event): Changes {
    const changes: Changes = {}
    const set = <Field extends keyof Event>(field: Field, value: Event[Field]): void => {
      if (value !== event[field]) changes[field] = value
    }
    keepAll(changes, event, nameFields, keepName)
    keepAll(changes, event, idFields, keepId)
    set('errorMessage', keepMessage(event.errorMessage))
    set('encrypted', keepEncrypted(event.encrypted))
    set('finishReasons', mapShared(event.finishReasons, keepName))
    set('toolRequests', mapShared(event.toolRequests, keepRequest))
    set('consumedToolCallIds', mapShared(event.consumedToolCallIds, keepId))
    set('readToolCallIds', mapShared(event.readToolCallIds, keepId))
    return changes
  }

  return {
    begin(nextMode, nextRedactor) {
      mode = nextMode
      redactor = nextRedactor
      keepName = openMemory(redactor.name)
      keepId = openMemory(redactor.id)
    },
    keep(event) {
      if (mode === 'full') return event
      const withheld = redactor.withheld()
      const changes = listChanges(event)
      if (redactor.withheld() > withheld) event.flags.add('content_withheld')
      if (Object.keys(changes).length === 0) return event
      event.flags.add('redacted')
      return { ...event, ...changes }
    },
  }
}

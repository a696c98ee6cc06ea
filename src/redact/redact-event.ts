// Redacts an event as the content mode of its workspace requires. Every text that becomes a column goes through here.
import type { EncryptedResult, Event, ToolRequest } from '../event/event.ts'
import type { ContentMode } from './content-mode.ts'
import { mapShared } from './map-shared.ts'
import type { Redactor } from './redactor.ts'
import { isSuspicious } from './suspicion.ts'

/** Names: only the finds in them are replaced. */
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

/** Ids, which are only compared: they are replaced whole, so that different values stay different. */
const idFields = ['sessionId', 'userId', 'responseId', 'toolCallId'] as const satisfies readonly (keyof Event)[]

/** As ids. A sender may put any text into them. */
const hashFields = ['inputHash', 'contentHash', 'scopeHash'] as const satisfies readonly (keyof Event)[]

/** Says nothing of what was hashed, though its digits may look like a card number. */
const digest = /^(?:hmac-)?sha256:[0-9a-f]{64}$/

export type EventRedactor = {
  /** Returns the event itself if nothing changes. A changed copy shares its flags. About 2 µs, most of it for new ids. */
  keep(event: Event): Event
  /** Call it before each request. */
  begin(mode: ContentMode, redactor: Redactor): void
}

/** The maximum bytes of a text that is first checked without the redactor. */
const scratchBytes = 4_096
const scratch = Buffer.allocUnsafe(scratchBytes)

type TextField = (typeof nameFields | typeof idFields | typeof hashFields)[number]
type Changes = { -readonly [field in keyof Event]?: Event[field] }

/** The slots of the direct-mapped cache of texts: a power of two. */
const slots = 1_024

/** Returns the slot of a text, from its length and five of its characters. */
function slotOf(text: string): number {
  const last = text.length - 1
  let hash = last
  hash = (hash * 31 + text.charCodeAt(0)) | 0
  hash = (hash * 31 + text.charCodeAt(last >> 1)) | 0
  hash = (hash * 31 + text.charCodeAt(last - 2)) | 0
  hash = (hash * 31 + text.charCodeAt(last - 1)) | 0
  hash = (hash * 31 + text.charCodeAt(last)) | 0
  return (hash ^ (hash >>> 10)) & (slots - 1)
}

type Memory = {
  readonly keep: (text: string) => string
  /** Call it before each request: another workspace has other marks. */
  readonly begin: (redact: (text: string) => string) => void
}

/**
 * Opens a cache of redacted texts. Names repeat in every span, and most are found harmless from their bytes. Ids are new in most spans: a map
 * would grow with each of them and burden the garbage collector of the decode thread, so the cache has a fixed size.
 */
function openMemory(): Memory {
  const texts = Array.from({ length: slots }, () => '')
  const answers = Array.from({ length: slots }, () => '')
  let redact = (text: string): string => text
  const isHarmless = (text: string): boolean =>
    text.length * 3 <= scratchBytes && !isSuspicious(scratch, 0, scratch.write(text))
  return {
    keep(text) {
      const slot = slotOf(text)
      if (texts[slot] === text) return answers[slot] as string
      const kept = isHarmless(text) ? text : redact(text)
      texts[slot] = text
      answers[slot] = kept
      return kept
    },
    begin(nextRedact) {
      redact = nextRedact
      texts.fill('')
      answers.fill('')
    },
  }
}

const stays = (text: string | null, keep: (text: string) => string): boolean => text === null || keep(text) === text

/** Whether nothing changes in these fields. Each is written out: reading a field by a variable name takes longer than the check of its text. */
const doNamesStay = (event: Event, keep: (text: string) => string): boolean =>
  stays(event.name, keep) &&
  stays(event.operation, keep) &&
  stays(event.scopeName, keep) &&
  stays(event.scopeVersion, keep) &&
  stays(event.errorType, keep) &&
  stays(event.agentOwn, keep) &&
  stays(event.agentFallback, keep) &&
  stays(event.agentVersion, keep) &&
  stays(event.taskType, keep) &&
  stays(event.environment, keep) &&
  stays(event.provider, keep) &&
  stays(event.requestModel, keep) &&
  stays(event.model, keep) &&
  stays(event.toolName, keep) &&
  stays(event.toolVersion, keep)

const doIdsStay = (event: Event, keep: (text: string) => string): boolean =>
  stays(event.sessionId, keep) &&
  stays(event.userId, keep) &&
  stays(event.responseId, keep) &&
  stays(event.toolCallId, keep)

const doHashesStay = (event: Event, keep: (text: string) => string): boolean =>
  stays(event.inputHash, keep) && stays(event.contentHash, keep) && stays(event.scopeHash, keep)

/** Adds the changes of these fields to `changes`. Returns null if nothing changes, so that most events need no object. */
function keepAll(
  changes: Changes | null,
  event: Event,
  fields: readonly TextField[],
  keep: (text: string) => string,
): Changes | null {
  let all = changes
  for (const field of fields) {
    const text = event[field]
    if (text === null) continue
    const kept = keep(text)
    if (kept === text) continue
    all ??= {}
    all[field] = kept
  }
  return all
}

/** Opens a redactor for the events of any number of requests, one after the other. */
export function openEventRedactor(firstMode: ContentMode, firstRedactor: Redactor): EventRedactor {
  const [names, ids] = [openMemory(), openMemory()]
  const [keepName, keepId] = [names.keep, ids.keep]
  const keepHash = (hash: string): string => (digest.test(hash) ? hash : keepId(hash))
  let mode = firstMode
  let redactor = firstRedactor

  function begin(nextMode: ContentMode, nextRedactor: Redactor): void {
    mode = nextMode
    redactor = nextRedactor
    names.begin(redactor.name)
    ids.begin(redactor.id)
  }
  begin(firstMode, firstRedactor)

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

  /** Error messages often quote content, so mode `none` drops them. */
  function keepMessage(message: string | null): string | null {
    if (message === null || mode === 'none') return null
    return redactor.text(message).text
  }

  function listChanges(event: Event): Changes | null {
    const named = doNamesStay(event, keepName) ? null : keepAll(null, event, nameFields, keepName)
    const identified = doIdsStay(event, keepId) ? named : keepAll(named, event, idFields, keepId)
    const texts = doHashesStay(event, keepHash) ? identified : keepAll(identified, event, hashFields, keepHash)
    const others = {
      errorMessage: keepMessage(event.errorMessage),
      encrypted: keepEncrypted(event.encrypted),
      finishReasons: mapShared(event.finishReasons, keepName),
      toolRequests: mapShared(event.toolRequests, keepRequest),
      consumedToolCallIds: mapShared(event.consumedToolCallIds, keepId),
      readToolCallIds: mapShared(event.readToolCallIds, keepId),
    }
    const areSame =
      others.errorMessage === event.errorMessage &&
      others.encrypted === event.encrypted &&
      others.finishReasons === event.finishReasons &&
      others.toolRequests === event.toolRequests &&
      others.consumedToolCallIds === event.consumedToolCallIds &&
      others.readToolCallIds === event.readToolCallIds
    if (areSame) return texts
    return { ...texts, ...others }
  }

  return {
    begin,
    keep(event) {
      if (mode === 'full') return event
      const withheld = redactor.withheld()
      const changes = listChanges(event)
      if (redactor.withheld() > withheld) event.flags.add('content_withheld')
      if (changes === null) return event
      event.flags.add('redacted')
      return { ...event, ...changes }
    },
  }
}

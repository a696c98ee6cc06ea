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

/** The lower-case hexadecimal digits of a SHA-256. */
const digestDigits = 64
const [plainDigest, keyedDigest] = ['sha256:', 'hmac-sha256:']
const [digit0, digit9, letterA, letterF] = [0x30, 0x39, 0x61, 0x66]

/** Whether a text is a hash: it says nothing of what was hashed, though its digits may look like a card number. */
function isDigest(text: string): boolean {
  const first = text.length - digestDigits
  const isPlain = first === plainDigest.length && text.startsWith(plainDigest)
  if (!isPlain && !(first === keyedDigest.length && text.startsWith(keyedDigest))) return false
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < digit0 || code > letterF || (code > digit9 && code < letterA)) return false
  }
  return true
}

export type EventRedactor = {
  /** Returns the event itself if nothing changes. A changed copy shares its flags. About 1 µs, most of it for new ids. */
  keep(event: Event): Event
  /** Call it before each request. */
  begin(mode: ContentMode, redactor: Redactor): void
}

/** The maximum bytes of a text that is first checked without the redactor. */
const scratchBytes = 4_096
/** The check reads a few bytes before and behind the text, which are blanks. */
const scratchMargin = 64
const scratch = Buffer.alloc(scratchMargin + scratchBytes + scratchMargin, ' ')
/** Up to this length, a loop over ASCII is faster than a native call. */
const maxLoopLength = 64

/** Writes a text to `scratch` and returns its end. It leaves bytes of longer texts behind it, which decide nothing. */
function writeScratch(text: string): number {
  if (text.length > maxLoopLength) return scratchMargin + scratch.write(text, scratchMargin)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) return scratchMargin + scratch.write(text, scratchMargin)
    scratch[scratchMargin + at] = code
  }
  return scratchMargin + text.length
}

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
  /** The slots that hold a text. */
  const used: number[] = []
  let redact = (text: string): string => text
  const isHarmless = (text: string): boolean =>
    text.length * 3 <= scratchBytes && !isSuspicious(scratch, scratchMargin, writeScratch(text))
  return {
    keep(text) {
      const slot = slotOf(text)
      if (texts[slot] === text) return answers[slot] as string
      const kept = isHarmless(text) ? text : redact(text)
      if (texts[slot] === '') used.push(slot)
      texts[slot] = text
      answers[slot] = kept
      return kept
    },
    begin(nextRedact) {
      redact = nextRedact
      for (const slot of used) {
        texts[slot] = ''
        answers[slot] = ''
      }
      used.length = 0
    },
  }
}

const stays = (text: string | null, keep: (text: string) => string): boolean => text === null || keep(text) === text

type Texts = Pick<Event, TextField>

/** An event of which nothing is known. */
const noTexts = Object.fromEntries(
  [...nameFields, ...idFields, ...hashFields].map((field) => [field, null]),
) as unknown as Texts

/**
 * Whether nothing changes in these fields. `last`: an event in which nothing changed. Each field is written out: reading it by a variable name
 * takes longer than the check of its text.
 */
const doNamesStay = (event: Texts, last: Texts, keep: (text: string) => string): boolean =>
  (event.name === last.name || stays(event.name, keep)) &&
  (event.operation === last.operation || stays(event.operation, keep)) &&
  (event.scopeName === last.scopeName || stays(event.scopeName, keep)) &&
  (event.scopeVersion === last.scopeVersion || stays(event.scopeVersion, keep)) &&
  (event.errorType === last.errorType || stays(event.errorType, keep)) &&
  (event.agentOwn === last.agentOwn || stays(event.agentOwn, keep)) &&
  (event.agentFallback === last.agentFallback || stays(event.agentFallback, keep)) &&
  (event.agentVersion === last.agentVersion || stays(event.agentVersion, keep)) &&
  (event.taskType === last.taskType || stays(event.taskType, keep)) &&
  (event.environment === last.environment || stays(event.environment, keep)) &&
  (event.provider === last.provider || stays(event.provider, keep)) &&
  (event.requestModel === last.requestModel || stays(event.requestModel, keep)) &&
  (event.model === last.model || stays(event.model, keep)) &&
  (event.toolName === last.toolName || stays(event.toolName, keep)) &&
  (event.toolVersion === last.toolVersion || stays(event.toolVersion, keep))

const doIdsStay = (event: Texts, last: Texts, keep: (text: string) => string): boolean =>
  (event.sessionId === last.sessionId || stays(event.sessionId, keep)) &&
  (event.userId === last.userId || stays(event.userId, keep)) &&
  (event.responseId === last.responseId || stays(event.responseId, keep)) &&
  (event.toolCallId === last.toolCallId || stays(event.toolCallId, keep))

const doHashesStay = (event: Texts, keep: (text: string) => string): boolean =>
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
  const keepHash = (hash: string): string => (isDigest(hash) ? hash : keepId(hash))
  let mode = firstMode
  let redactor = firstRedactor
  /** The last event of the request in which nothing changed: most names are those of the event before. */
  let last: Texts = noTexts

  function begin(nextMode: ContentMode, nextRedactor: Redactor): void {
    mode = nextMode
    redactor = nextRedactor
    last = noTexts
    names.begin(redactor.name)
    ids.begin(redactor.id)
  }
  begin(firstMode, firstRedactor)

  function keepRequest(request: ToolRequest): ToolRequest {
    const name = keepName(request.name)
    const id = request.id === null ? null : keepId(request.id)
    return name === request.name && id === request.id ? request : { id, name }
  }

  function keepEncrypted(encrypted: EncryptedResult): EncryptedResult {
    const keyId = keepId(encrypted.keyId)
    return keyId === encrypted.keyId ? encrypted : { ...encrypted, keyId }
  }

  /** Error messages often quote content, so mode `none` drops them. */
  const keepMessage = (message: string): string | null => (mode === 'none' ? null : redactor.text(message).text)

  function listChanges(event: Event): Changes | null {
    const named = doNamesStay(event, last, keepName) ? null : keepAll(null, event, nameFields, keepName)
    const identified = doIdsStay(event, last, keepId) ? named : keepAll(named, event, idFields, keepId)
    const texts = doHashesStay(event, keepHash) ? identified : keepAll(identified, event, hashFields, keepHash)
    const errorMessage = event.errorMessage === null ? null : keepMessage(event.errorMessage)
    const encrypted = event.encrypted === null ? null : keepEncrypted(event.encrypted)
    const finishReasons = mapShared(event.finishReasons, keepName)
    const toolRequests = mapShared(event.toolRequests, keepRequest)
    const consumedToolCallIds = mapShared(event.consumedToolCallIds, keepId)
    const readToolCallIds = mapShared(event.readToolCallIds, keepId)
    const areSame =
      errorMessage === event.errorMessage &&
      encrypted === event.encrypted &&
      finishReasons === event.finishReasons &&
      toolRequests === event.toolRequests &&
      consumedToolCallIds === event.consumedToolCallIds &&
      readToolCallIds === event.readToolCallIds
    if (areSame) return texts
    const others = { errorMessage, encrypted, finishReasons, toolRequests, consumedToolCallIds, readToolCallIds }
    return { ...texts, ...others }
  }

  return {
    begin,
    keep(event) {
      if (mode === 'full') return event
      const withheld = redactor.withheld()
      const changes = listChanges(event)
      if (redactor.withheld() > withheld) event.flags.add('content_withheld')
      if (changes === null) {
        last = event
        return event
      }
      event.flags.add('redacted')
      return { ...event, ...changes }
    },
  }
}

// Cuts the names and ids of an event at the limits of their columns, once the content mode is applied.
import type { Event } from '../event/event.ts'
import { cutAt, maxErrorMessageChars, maxNameChars, maxWordChars } from './attribute.ts'

const fields = [
  'operation',
  'errorType',
  'agentOwn',
  'agentVersion',
  'sessionId',
  'userId',
  'taskType',
  'environment',
  'provider',
  'requestModel',
  'model',
  'responseId',
  'toolName',
  'toolCallId',
] as const satisfies readonly (keyof Event)[]

const cutName = (text: string): string => cutAt(text, maxNameChars)
const cutWord = (text: string): string => cutAt(text, maxWordChars)

/** Returns the event itself if nothing was too long: then it lacks the flag `truncated`. */
export function cutEvent(event: Event): Event {
  if (!event.flags.has('truncated')) return event
  const names = Object.fromEntries(
    fields.map((field) => [field, event[field] === null ? null : cutName(event[field])]),
  ) as Pick<Event, (typeof fields)[number]>
  return {
    ...event,
    ...names,
    agentFallback: cutName(event.agentFallback),
    errorMessage: event.errorMessage === null ? null : cutAt(event.errorMessage, maxErrorMessageChars),
    finishReasons: event.finishReasons.map(cutWord),
    serviceTier: event.serviceTier === null ? null : cutWord(event.serviceTier),
    consumedToolCallIds: event.consumedToolCallIds.map(cutName),
    readToolCallIds: event.readToolCallIds.map(cutName),
  }
}

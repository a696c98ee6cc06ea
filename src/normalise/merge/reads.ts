// Merges the functions of all dialects, with the spans on which each of them is called.
import { anyOf } from '../../event/names.ts'
import type { Dialect, ReadPlaces, ReadsByName } from './definition.ts'
import type { MergedReads, ReadGroup } from './merged.ts'

/** Returns null for a function without a list of places. */
const placesOf = (given: unknown): ReadPlaces | null =>
  typeof given === 'function' ? null : (given as { readonly on: ReadPlaces }).on

/** Whether a function is called only on spans of its own dialect. */
export const isOfOwn = (given: unknown): boolean => placesOf(given)?.own === true

function mergeRead<Name extends keyof ReadsByName>(
  name: Name,
  dialects: readonly Dialect[],
): ReadGroup<ReadsByName[Name]> {
  const given = dialects.flatMap((dialect) => {
    const read = dialect.reads?.[name]
    return read === undefined ? [] : [{ dialect: dialect.name, read }]
  })
  const places = given.map(({ read }) => placesOf(read))
  const attributes = places.flatMap((on) => on?.attributes ?? [])
  return {
    reads: given.map(({ dialect, read }) => ({
      of: isOfOwn(read) ? dialect : null,
      read: (typeof read === 'function' ? read : read.read) as ReadsByName[Name],
    })),
    isOnAll: places.includes(null),
    isOnOwn: places.some((on) => on?.own === true),
    isOnEvents: places.some((on) => on?.events === true),
    attributes: attributes.length === 0 ? null : anyOf(...attributes),
  }
}

/** `ordered` returns the dialects in the order in which their functions of this name are called. */
export const mergeReads = (ordered: (name: keyof ReadsByName) => readonly Dialect[]): MergedReads => ({
  kind: mergeRead('kind', ordered('kind')),
  restatedKind: mergeRead('restatedKind', ordered('restatedKind')),
  isRequestOnly: mergeRead('isRequestOnly', ordered('isRequestOnly')),
  isNotRun: mergeRead('isNotRun', ordered('isNotRun')),
  isEmbedding: mergeRead('isEmbedding', ordered('isEmbedding')),
  model: mergeRead('model', ordered('model')),
  streamUs: mergeRead('streamUs', ordered('streamUs')),
  leastUs: mergeRead('leastUs', ordered('leastUs')),
  hasFailed: mergeRead('hasFailed', ordered('hasFailed')),
  failureMessage: mergeRead('failureMessage', ordered('failureMessage')),
  isStatusBorrowed: mergeRead('isStatusBorrowed', ordered('isStatusBorrowed')),
  isSignal: mergeRead('isSignal', ordered('isSignal')),
  finishReason: mergeRead('finishReason', ordered('finishReason')),
  isAgentUnknown: mergeRead('isAgentUnknown', ordered('isAgentUnknown')),
  isSessionUnknown: mergeRead('isSessionUnknown', ordered('isSessionUnknown')),
  isProviderUnknown: mergeRead('isProviderUnknown', ordered('isProviderUnknown')),
  isRunId: mergeRead('isRunId', ordered('isRunId')),
  excludesCache: mergeRead('excludesCache', ordered('excludesCache')),
  usage: mergeRead('usage', ordered('usage')),
  callUsage: mergeRead('callUsage', ordered('callUsage')),
  costUsd: mergeRead('costUsd', ordered('costUsd')),
  scores: mergeRead('scores', ordered('scores')),
  toolArguments: mergeRead('toolArguments', ordered('toolArguments')),
  toolEvent: mergeRead('toolEvent', ordered('toolEvent')),
})

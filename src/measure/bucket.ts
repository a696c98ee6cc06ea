// All that is counted of the events of one stretch of time: as a whole, and cell by cell.
import { beyond, type Cells, cellOf, makeCells, mergeSums, sessionsOf } from './cell.ts'
import { addFactCounters, areZero, type Counters, isModelCall, makeCounters, mergeCounters } from './counters.ts'
import { addHash, type Distinct, makeDistinct, mergeDistinct } from './distinct.ts'
import { addKey, type Durations, isEmptyDurations, keyOf, makeDurations, mergeDurations } from './durations.ts'
import type { Fact } from './fact.ts'
import { shorten } from './hash.ts'
import {
  addToSets,
  boundSets,
  dropMembers,
  makeSets,
  makeUnknownSets,
  type Sets,
  setNames,
  sketchMembers,
  uniteAgents,
  uniteCells,
  uniteSets,
} from './sets.ts'

export type Total = {
  readonly counters: Counters
  readonly durations: Durations
  readonly traces: Distinct
  readonly sessions: Distinct
  /** Of counted calls of models alone; null: a model that the sender did not tell. */
  readonly models: Map<string | null, Counters>
}

/** What of its sets is known is not in the distinct sets of its total and cells, but stands in for them. */
export type Bucket = { readonly total: Total; readonly cells: Cells; readonly sets: Sets }

export const totalPrecision = 14
/** As many as a summary shows. */
const maxModels = 1_000

export const makeTotal = (): Total => ({
  counters: makeCounters(),
  durations: makeDurations(),
  traces: makeDistinct(totalPrecision),
  sessions: makeDistinct(totalPrecision),
  models: new Map(),
})

export const makeBucket = (): Bucket => ({ total: makeTotal(), cells: makeCells(), sets: makeSets() })

/** One whose distinct sets tell all, as far as they can. */
export const makeSketchedBucket = (): Bucket => ({ total: makeTotal(), cells: makeCells(), sets: makeUnknownSets() })

/**
 * Adds one event, or takes it away with sign -1: counters and durations then are as if it had never been there, distinct sets keep
 * it, so that a stretch which lost the last event of a trace must be counted anew. About 0.3 µs.
 */
export function addFact(bucket: Bucket, fact: Fact, sign: 1 | -1): void {
  const { total, cells } = bucket
  const cell = cellOf(cells, fact)
  const key = keyOf(fact.durationUs)
  addSums(total, fact, key, sign)
  addFactCounters(cell.counters, fact, sign)
  if (!Number.isNaN(key)) addKey(cell.durations, key, sign)
  if (sign === 1) addToSets(bucket, cell, fact)
}

/** Adds one event to a total alone. */
export function addFactToTotal(total: Total, fact: Fact): void {
  addSums(total, fact, keyOf(fact.durationUs), 1)
  addHash(total.traces, shorten(fact.traceHash))
  if (fact.sessionHash >= 0) addHash(total.sessions, shorten(fact.sessionHash))
}

function addSums(total: Total, fact: Fact, key: number, sign: 1 | -1): void {
  addFactCounters(total.counters, fact, sign)
  if (fact.counted && isModelCall(fact)) addFactCounters(modelOf(total, fact.model), fact, sign)
  if (!Number.isNaN(key)) addKey(total.durations, key, sign)
}

/** The counters of a model, made where there are none; those of 'other' beyond a thousand models. */
export function modelOf({ models }: Pick<Total, 'models'>, model: string | null): Counters {
  const known = models.get(model)
  if (known !== undefined) return known
  const name = models.size >= maxModels ? beyond : model
  const counters = models.get(name) ?? makeCounters()
  models.set(name, counters)
  return counters
}

/** Below the bounds on cells and models the order of merging does not matter. */
export function mergeBucket(into: Bucket, from: Bucket): void {
  for (const name of setNames) {
    const members = from.sets[name]
    if (typeof members === 'string') dropMembers(into, name, members)
    else if (typeof into.sets[name] === 'string') sketchMembers(into, from.cells, name, members)
  }
  mergeTotals(into.total, from.total)
  const numbers = uniteSets(into.sets, from.sets)
  for (const cell of from.cells.list) {
    const own = cellOf(into.cells, cell)
    mergeSums(own, cell)
    uniteCells(own, cell, numbers)
  }
  for (const [agentId, sessions] of from.cells.sessions) mergeDistinct(sessionsOf(into.cells, agentId), sessions)
  uniteAgents(into.cells, from.cells, numbers)
  boundSets(into)
}

export function mergeTotals(into: Total, from: Total): void {
  mergeCounters(into.counters, from.counters)
  mergeDurations(into.durations, from.durations)
  mergeDistinct(into.traces, from.traces)
  mergeDistinct(into.sessions, from.sessions)
  for (const [model, counters] of from.models) mergeCounters(modelOf(into, model), counters)
}

/** True where no event is left: of a whole stretch, not of a difference, the row may go. */
export const isBlank = ({ total }: Bucket): boolean => areZero(total.counters) && isEmptyDurations(total.durations)

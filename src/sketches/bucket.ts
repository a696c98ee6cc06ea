// The aggregates of the events of one interval: in total, and by cell.
import { beyond, type Cells, cellOf, makeCells, mergeSums, sessionsOf } from './cell.ts'
import { addFactCounters, areZero, type Counters, isModelCall, makeCounters, mergeCounters } from './counters.ts'
import { addHash, type Distinct, makeDistinct, mergeDistinct } from './distinct.ts'
import { addKey, type Durations, durationKeyOf, isEmptyDurations, makeDurations, mergeDurations } from './durations.ts'
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
  /** The counters of counted model calls by model; null: the sender did not report the model. */
  readonly models: Map<string | null, Counters>
}

/** A known set is stored in `sets` alone: the sketches of it in the total and the cells are empty. */
export type Bucket = { readonly total: Total; readonly cells: Cells; readonly sets: Sets }

export const totalPrecision = 14
/** The number of models that a summary shows. */
const maxModels = 1_000

export const makeTotal = (): Total => ({
  counters: makeCounters(),
  durations: makeDurations(),
  traces: makeDistinct(totalPrecision),
  sessions: makeDistinct(totalPrecision),
  models: new Map(),
})

export const makeBucket = (): Bucket => ({ total: makeTotal(), cells: makeCells(), sets: makeSets() })

/** Returns a bucket without known sets: it counts distinct ids with sketches alone. */
export const makeSketchedBucket = (): Bucket => ({ total: makeTotal(), cells: makeCells(), sets: makeUnknownSets() })

/**
 * Adds one event, or removes it with sign -1. Removal restores counters and durations exactly. Distinct sets keep what was removed, so an
 * interval that lost the last event of a trace must be recounted. About 0.3 µs.
 */
export function addFact(bucket: Bucket, fact: Fact, sign: 1 | -1): void {
  const { total, cells } = bucket
  const cell = cellOf(cells, fact)
  const key = durationKeyOf(fact.durationUs)
  addSums(total, fact, key, sign)
  addFactCounters(cell.counters, fact, sign)
  if (!Number.isNaN(key)) addKey(cell.durations, key, sign)
  if (sign === 1) addToSets(bucket, cell, fact)
}

/** Adds one event to a total without cells and known sets. */
export function addFactToTotal(total: Total, fact: Fact): void {
  addSums(total, fact, durationKeyOf(fact.durationUs), 1)
  addHash(total.traces, shorten(fact.traceHash))
  if (fact.sessionHash >= 0) addHash(total.sessions, shorten(fact.sessionHash))
}

function addSums(total: Total, fact: Fact, key: number, sign: 1 | -1): void {
  addFactCounters(total.counters, fact, sign)
  if (fact.counted && isModelCall(fact)) addFactCounters(modelOf(total, fact.model), fact, sign)
  if (!Number.isNaN(key)) addKey(total.durations, key, sign)
}

/** Returns the counters of a model, and creates them if needed. Beyond a thousand models it returns those of 'other'. */
export function modelOf({ models }: Pick<Total, 'models'>, model: string | null): Counters {
  const known = models.get(model)
  if (known !== undefined) return known
  const name = models.size >= maxModels ? beyond : model
  const counters = models.get(name) ?? makeCounters()
  models.set(name, counters)
  return counters
}

/** Adds `from` to `into`. Below the bounds on cells and models, the order of merging does not matter. */
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

/** True if no event is left. The row of a complete interval may then be deleted; that of a difference may not. */
export const isBlank = ({ total }: Bucket): boolean => areZero(total.counters) && isEmptyDurations(total.durations)

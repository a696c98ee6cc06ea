// The state of a trace view: folds, selection, zoom, search. The selection and the view are kept in the URL, the search text in its
// fragment, which no server receives.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Axis, makeAxis, wholeAxis, type Zoom } from './axis.ts'
import { type BarMeasure, sumCost, sumTokens } from './bars.ts'
import { findCriticalPath } from './critical-path.ts'
import { errorRanks, findRanks, makeFindIndex } from './find.ts'
import { carryFolded, type Folded, flatten, reveal, rowOf, unfoldAll } from './fold.ts'
import type { SpanTree } from './use-spans.ts'
import type { RowModel } from './waterfall/row-model.ts'

export type TraceState = {
  readonly model: RowModel
  readonly axis: Axis
  readonly rows: Int32Array
  /** The node that keys act on; -1 in an empty trace. */
  readonly active: number
  readonly activeRow: number
  readonly matches: Int32Array
  readonly errors: Int32Array
  readonly isCompressed: boolean
  readonly isCritical: boolean
  readonly setFolded: (folded: Folded) => void
  readonly setZoom: (zoom: Zoom) => void
  readonly setMeasure: (measure: BarMeasure) => void
  readonly setCompressed: (isCompressed: boolean) => void
  readonly setCritical: (isCritical: boolean) => void
  /** Selects a node and unfolds the parents that hide it. */
  readonly goTo: (node: number) => void
}

/** `firstId`: the span that the URL names. `wanted`: the text that is searched for. */
export function useTraceState(tree: SpanTree, firstId: string | null, wanted: string): TraceState {
  const [folded, setFolded] = useFolded(tree)
  const [active, setActive] = useActive(tree, firstId)
  const [zoom, setZoom] = useState(wholeAxis)
  const [measure, setMeasure] = useState<BarMeasure>('duration')
  const [isCompressed, setCompressed] = useState(false)
  const [isCritical, setCritical] = useState(false)

  const axis = useMemo(() => makeAxis(tree, isCompressed), [tree, isCompressed])
  const cost = useMemo(() => sumCost(tree), [tree])
  const tokens = useMemo(() => sumTokens(tree), [tree])
  const errors = useMemo(() => errorRanks(tree), [tree])
  const critical = useMemo(() => (isCritical ? findCriticalPath(tree) : null), [tree, isCritical])
  const matches = useMatches(tree, wanted)
  const matched = useMemo(() => (wanted.trim() === '' ? null : markRanks(tree, matches)), [tree, wanted, matches])
  const rows = useMemo(() => flatten(tree, folded), [tree, folded])
  const model = useMemo(
    () => ({ tree, axis, zoom, measure, cost, tokens, folded, critical, matched }),
    [tree, axis, zoom, measure, cost, tokens, folded, critical, matched],
  )
  const goTo = useCallback(
    (node: number) => {
      setActive(node)
      setFolded((before) => reveal(tree, before, node))
    },
    [tree, setActive, setFolded],
  )
  return {
    model,
    axis,
    rows,
    active,
    activeRow: active === -1 ? -1 : rowOf(tree, rows, active),
    matches,
    errors,
    isCompressed,
    isCritical,
    setFolded,
    setZoom,
    setMeasure,
    setCompressed,
    setCritical,
    goTo,
  }
}

/** Keeps the folds when the trace grows, although its nodes get other numbers. */
function useFolded(tree: SpanTree) {
  const [state, setState] = useState(() => ({ tree, folded: unfoldAll(tree) }))
  const current = state.tree === tree ? state : { tree, folded: carryFolded(state.tree, state.folded, tree) }
  if (current !== state) setState(current)
  const setFolded = useCallback(
    (next: Folded | ((before: Folded) => Folded)) =>
      setState((before) => ({
        tree: before.tree,
        folded: typeof next === 'function' ? next(before.folded) : next,
      })),
    [],
  )
  return [current.folded, setFolded] as const
}

function useActive(tree: SpanTree, firstId: string | null) {
  const [id, setId] = useState(firstId)
  // Back and forward change the URL, and with it the selection.
  useEffect(() => {
    if (firstId !== null) setId(firstId)
  }, [firstId])
  const active = useMemo(() => findActive(tree, id), [tree, id])
  const setActive = useCallback((node: number) => setId(urlIdOf(tree, node)), [tree])
  return [active, setActive] as const
}

/** Returns how the URL names a node: by the span id, followed by its start if the trace has that id twice. */
export function urlIdOf(tree: SpanTree, node: number): string {
  const span = tree.spans[node]
  if (span === undefined) return `missing.${tree.missingIds[node - tree.spans.length] ?? ''}`
  return span.id.slice(span.trace_id.length + 1)
}

/** Returns the node that the URL names; -1 if it is not loaded. */
export function findNode(tree: SpanTree, id: string): number {
  if (id.startsWith('missing.')) {
    const at = tree.missingIds.indexOf(id.slice('missing.'.length))
    return at === -1 ? -1 : tree.spans.length + at
  }
  const exact = tree.spans.findIndex((span) => span.id === `${span.trace_id}.${id}`)
  return exact === -1 ? tree.spans.findIndex(({ span_id }) => span_id === id) : exact
}

/** Returns the node that the id names, or else the first row; -1 for an empty trace. */
function findActive(tree: SpanTree, id: string | null): number {
  const named = id === null ? -1 : findNode(tree, id)
  return named === -1 ? (tree.order[0] ?? -1) : named
}

function useMatches(tree: SpanTree, wanted: string): Int32Array {
  const isFinding = wanted.trim() !== ''
  const index = useMemo(() => (isFinding ? makeFindIndex(tree.spans) : null), [tree, isFinding])
  return useMemo(() => (index === null ? new Int32Array(0) : findRanks(tree, index, wanted)), [tree, index, wanted])
}

function markRanks(tree: SpanTree, ranks: Int32Array): Uint8Array {
  const marked = new Uint8Array(tree.size)
  for (const rank of ranks) marked[tree.order[rank] as number] = 1
  return marked
}

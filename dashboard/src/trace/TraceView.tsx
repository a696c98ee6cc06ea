// The page of one trace: toolbar, minimap, the view that the URL names, and the selected span beside it.
import { useSearch } from '@tanstack/react-router'
import { type RefObject, useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useShortcut } from '../app/shortcuts/use-shortcut.ts'
import type { Search } from '../window/index.ts'
import { toggleFolded } from './fold.ts'
import { type Command, isFindKey, pageKeys, readGridKey, traceViews, type TraceView as View } from './keys.ts'
import { Minimap } from './Minimap.tsx'
import { SpanPanel } from './panel/SpanPanel.tsx'
import { runCommand } from './run-command.ts'
import { Timeline } from './Timeline.tsx'
import { Toolbar } from './Toolbar.tsx'
import styles from './trace.module.css'
import { TranscriptView } from './transcript/TranscriptView.tsx'
import { linkPreviousCalls } from './transcript.ts'
import { useChangeSearch } from './use-change-search.ts'
import { usePrefetch } from './use-detail.ts'
import { useFindText } from './use-find-text.ts'
import type { SpanTree } from './use-spans.ts'
import { findNode, type TraceState, urlIdOf, useTraceState } from './use-trace-state.ts'
import { Waterfall } from './waterfall/Waterfall.tsx'

type Props = { readonly workspaceId: string; readonly tree: SpanTree }

export function TraceView({ workspaceId, tree }: Props) {
  const search: Search = useSearch({ strict: false })
  const view: View = traceViews.find((each) => each === search.view) ?? 'waterfall'
  const { span: namedId } = search
  // A span that is not loaded opens no panel: the panel would show another span instead.
  const spanId = useMemo(
    () => (namedId === undefined || findNode(tree, namedId) === -1 ? null : namedId),
    [tree, namedId],
  )
  const [wanted, setWanted] = useFindText()
  const state = useTraceState(tree, spanId, useDeferredValue(wanted))
  const findField = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const previousCalls = useMemo(() => linkPreviousCalls(tree), [tree])
  const change = useChangeSearch({ isStep: false })
  const show = useCallback((node: number) => change({ span: urlIdOf(tree, node) }), [change, tree])
  const select = useCallback(
    (node: number) => {
      state.goTo(node)
      show(node)
    },
    [state.goTo, show],
  )
  const setView = useCallback((next: View) => change({ view: next === 'waterfall' ? null : next }), [change])
  const close = useCallback(() => {
    change({ span: null })
    box.current?.querySelector<HTMLElement>('[data-trace-grid]')?.focus()
  }, [change])
  useFollow(state, tree, spanId, show)
  const run = (command: Command): boolean => {
    if (command.does === 'view') setView(command.view)
    else if (command.does === 'find') findField.current?.select()
    else if (command.does === 'open') show(state.active)
    else if (command.does === 'close') {
      if (spanId === null) return false
      close()
    } else return runCommand(state, command)
    return true
  }
  useKeys({ box, findField, run })
  const shown = { ...state, goTo: select }
  return (
    <div className={styles.view} ref={box}>
      {pageKeys.map(({ keys, label, command }) => (
        <Shortcut key={keys} keys={keys} label={label} run={() => void run(command)} />
      ))}
      <Toolbar
        findField={findField}
        onFind={setWanted}
        onOpen={select}
        onView={setView}
        state={state}
        view={view}
        wanted={wanted}
      />
      <Minimap state={state} />
      <div className={styles.body}>
        <ViewBody previousCalls={previousCalls} state={shown} view={view} workspaceId={workspaceId} />
        {spanId === null || state.active === -1 ? null : (
          <SpanPanel
            node={state.active}
            onClose={close}
            onSelect={select}
            previousCall={previousCalls[state.active] ?? -1}
            tree={tree}
            workspaceId={workspaceId}
          />
        )}
      </div>
    </div>
  )
}

type ShortcutProps = { readonly keys: string; readonly label: string; readonly run: () => void }

function Shortcut({ keys, label, run }: ShortcutProps) {
  useShortcut(keys, label, run)
  return null
}

type BodyProps = {
  readonly state: TraceState
  readonly view: View
  readonly workspaceId: string
  readonly previousCalls: Int32Array
}

function ViewBody({ state, view, workspaceId, previousCalls }: BodyProps) {
  const { model, goTo } = state
  const { tree, folded } = model
  const prefetch = usePrefetch(workspaceId)
  const toggle = useCallback(
    (node: number, isDeep: boolean) => state.setFolded(toggleFolded(tree, folded, node, isDeep)),
    [tree, folded, state.setFolded],
  )
  const hover = useCallback(
    (node: number | null) => prefetch(node === null ? null : (tree.spans[node]?.id ?? null)),
    [prefetch, tree],
  )
  if (view === 'timeline') return <Timeline onSelect={goTo} state={state} />
  if (view === 'transcript')
    return (
      <TranscriptView
        onSelect={goTo}
        onToggle={toggle}
        previousCalls={previousCalls}
        state={state}
        workspaceId={workspaceId}
      />
    )
  return (
    <Waterfall
      activeRow={state.activeRow}
      model={model}
      onHover={hover}
      onSelect={goTo}
      onToggle={toggle}
      rows={state.rows}
    />
  )
}

const followMs = 120

/** While the panel is open, it follows the selection. A key that is held down changes the URL only once, at its end. */
function useFollow(state: TraceState, tree: SpanTree, spanId: string | null, show: (node: number) => void): void {
  const { active } = state
  useEffect(() => {
    if (spanId === null || active === -1 || urlIdOf(tree, active) === spanId) return
    const timer = setTimeout(() => show(active), followMs)
    return () => clearTimeout(timer)
    // `spanId` itself is no dependency: a change of the URL moves the selection. Only a moved selection changes the URL, while the panel is
    // open.
  }, [active, spanId === null])
}

type Keys = {
  readonly box: RefObject<HTMLDivElement | null>
  readonly findField: RefObject<HTMLInputElement | null>
  readonly run: (command: Command) => boolean
}

/** Handles the keys that are not shortcuts of the page: those of the grid while it has the focus, Escape, and the browser's find. */
function useKeys({ box, findField, run }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented) return
    const isFinding = document.activeElement === findField.current
    const command = isFindKey(event, isFinding) ? findCommand : readKeyInside(event, box.current, isFinding)
    if (command !== null && run(command)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

const findCommand: Command = { does: 'find' }
const closeCommand: Command = { does: 'close' }

/** Escape closes the span from anywhere except the find field, which it empties. */
function readKeyInside(event: KeyboardEvent, box: Element | null, isFinding: boolean): Command | null {
  const { target } = event
  if (!(target instanceof Element) || box?.contains(target) !== true) return null
  if (event.key === 'Escape') return isFinding ? null : closeCommand
  return target.matches('[data-trace-grid]') ? readGridKey(event) : null
}

// The timeline: a lane for each agent, with spans as boxes below their parents. It is drawn on a canvas; the rows of the waterfall
// show the same as text.
import { type MouseEvent, useEffect, useMemo, useRef } from 'react'
import { formatDuration } from '../format/index.ts'
import { isOpen, placeOf, timeAt } from './axis.ts'
import { nameOf } from './describe-node.ts'
import { type Lanes, layOutLanes, spanAt } from './lanes.ts'
import { readableOn, readToken, useTheme } from './theme-colours.ts'
import styles from './trace.module.css'
import { mark } from './tree.ts'
import { useSize } from './use-size.ts'
import type { TraceState } from './use-trace-state.ts'

const rowPx = 18
const labelPx = 20
/** The width from which a box shows its name. */
const leastTextPx = 40
/** The height of a canvas is limited; spans below this limit are shown in the waterfall only. */
const maxHeightPx = 8_000

const kindTokens: Readonly<Record<string, string>> = {
  llm: '--series-1',
  tool: '--series-3',
  agent: '--series-4',
  embedding: '--series-5',
  retriever: '--series-6',
}

type Props = { readonly state: TraceState; readonly onSelect: (node: number) => void }

export function Timeline({ state, onSelect }: Props) {
  const { model, active } = state
  const { tree, axis, zoom } = model
  const lanes = useMemo(() => layOutLanes(tree), [tree])
  const canvas = useRef<HTMLCanvasElement>(null)
  const [box, { width }] = useSize<HTMLDivElement>()
  const theme = useTheme()
  const height = Math.min(maxHeightPx, lanes.rows * rowPx + lanes.lanes.length * labelPx)

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d') ?? null
    if (element === null || context === null || width === 0) return
    const scale = devicePixelRatio
    element.width = width * scale
    element.height = height * scale
    context.scale(scale, scale)
    drawLanes(context, { model, active }, lanes, { width, height })
  }, [model, active, lanes, width, height, theme])

  useEffect(() => {
    const row = lanes.rowOf[active] ?? -1
    const at = lanes.lanes.findLastIndex(({ top }) => top <= row)
    if (box.current === null || row === -1) return
    const top = row * rowPx + (at + 1) * labelPx
    const { scrollTop, clientHeight } = box.current
    if (top < scrollTop || top + rowPx > scrollTop + clientHeight) box.current.scrollTop = top - clientHeight / 2
  }, [active, lanes, box])

  const nodeAt = (event: MouseEvent): number => {
    const { left, top, width: all } = event.currentTarget.getBoundingClientRect()
    const row = rowAt(lanes, event.clientY - top)
    const perPx = (zoom.to - zoom.from) / all
    const place = zoom.from + (event.clientX - left) * perPx
    const slackMs = timeAt(axis, place + 2 * perPx) - timeAt(axis, place)
    return row === -1 ? -1 : spanAt(tree, lanes, row, timeAt(axis, place), slackMs)
  }
  return (
    <div className={styles.timeline} data-trace-grid ref={box} tabIndex={0}>
      <canvas
        aria-label={describe(state, active)}
        onClick={(event) => {
          const node = nodeAt(event)
          if (node !== -1) onSelect(node)
        }}
        onMouseMove={(event) => {
          const node = nodeAt(event)
          event.currentTarget.title = node === -1 ? '' : `${nameOf(tree, node)}, ${durationOf(state, node)}`
        }}
        ref={canvas}
        role="img"
        style={{ width, height }}
      />
    </div>
  )
}

const durationOf = ({ model: { tree } }: TraceState, node: number): string =>
  isOpen(tree, node) ? 'open' : formatDuration(tree.spans[node]?.duration_ms ?? null)

const describe = (state: TraceState, active: number): string =>
  active === -1
    ? 'No spans'
    : `Timeline of ${state.model.tree.spans.length} spans by agent. Selected: ${nameOf(state.model.tree, active)}, ${durationOf(state, active)}`

const topOf = (lanes: Lanes, lane: number): number => (lanes.lanes[lane]?.top ?? 0) * rowPx + (lane + 1) * labelPx

function rowAt(lanes: Lanes, y: number): number {
  for (const [at, lane] of lanes.lanes.entries()) {
    const row = Math.floor((y - topOf(lanes, at)) / rowPx)
    if (row >= 0 && row < lane.rows) return lane.top + row
  }
  return -1
}

type Size = { readonly width: number; readonly height: number }
type Drawn = Pick<TraceState, 'model' | 'active'>

function drawLanes(context: CanvasRenderingContext2D, { model, active }: Drawn, lanes: Lanes, size: Size): void {
  const { tree, axis, zoom, matched } = model
  const laneOfAgent = new Map(lanes.lanes.map(({ agent }, at) => [agent, at]))
  const colours = new Map(Object.entries(kindTokens).map(([kind, name]) => [kind, readToken(name)]))
  const [other, danger, text] = ['--series-other', '--danger', '--text'].map(readToken) as [string, string, string]
  context.clearRect(0, 0, size.width, size.height)
  context.font = `12px ${readToken('--font')}`
  context.textBaseline = 'middle'
  const perPlace = size.width / (zoom.to - zoom.from)
  for (const [at, { agent }] of lanes.lanes.entries()) {
    context.fillStyle = text
    context.fillText(agent, 4, topOf(lanes, at) - labelPx / 2)
  }
  for (const [node, span] of tree.spans.entries()) {
    const left = (placeOf(axis, tree.startMs[node] as number) - zoom.from) * perPlace
    const right = (placeOf(axis, tree.endMs[node] as number) - zoom.from) * perPlace
    if (right < 0 || left > size.width) continue
    const lane = laneOfAgent.get(span.agent_name) ?? 0
    const top = (lanes.rowOf[node] as number) * rowPx + (lane + 1) * labelPx
    const wide = Math.max(1, right - left - 1)
    context.globalAlpha = matched !== null && matched[node] === 0 ? 0.25 : 1
    const colour = colours.get(span.kind) ?? other
    context.fillStyle = colour
    context.fillRect(left, top, wide, rowPx - 2)
    if (((tree.marks[node] as number) & mark.error) !== 0) {
      context.fillStyle = danger
      context.fillRect(left, top + rowPx - 5, wide, 3)
    }
    if (node === active) {
      context.strokeStyle = text
      context.lineWidth = 2
      context.strokeRect(left, top, wide, rowPx - 2)
    }
    if (wide >= leastTextPx)
      drawName(context, span.name, Math.max(0, left), top, Math.min(size.width, right), readableOn(colour))
  }
  context.globalAlpha = 1
}

function drawName(
  context: CanvasRenderingContext2D,
  name: string,
  left: number,
  top: number,
  right: number,
  colour: string,
): void {
  context.save()
  context.beginPath()
  context.rect(left, top, right - left - 4, rowPx)
  context.clip()
  context.fillStyle = colour
  context.fillText(name, left + 4, top + rowPx / 2 - 1)
  context.restore()
}

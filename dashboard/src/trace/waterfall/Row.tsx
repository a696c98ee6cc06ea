// One row of the waterfall.
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { formatCount, formatDuration, formatTokens, formatUsd } from '../../format/index.ts'
import { isOpen } from '../axis.ts'
import { type Bar, clipBar } from '../bars.ts'
import { callMarkOf, describeMarks, nameOf } from '../describe-node.ts'
import { isParent } from '../fold.ts'
import { CallMarkIcon, KindIcon, WarningMark } from '../Icons.tsx'
import { mark } from '../tree.ts'
import type { RowModel } from './row-model.ts'
import styles from './waterfall.module.css'

const indentPx = 12
/** Deeper rows are not indented further; their level is shown as a number. */
const maxIndents = 12

type Props = {
  readonly model: RowModel
  readonly barOf: (node: number) => Bar
  readonly node: number
  readonly row: number
  readonly top: number
  readonly isSelected: boolean
  readonly onSelect: (node: number) => void
  readonly onToggle: (node: number, isDeep: boolean) => void
  /** Null: the pointer has left the row. */
  readonly onHover: (node: number | null) => void
}

export const rowId = (node: number): string => `span-row-${node}`

export const Row = memo(function Row({ model, barOf, node, row, top, isSelected, onSelect, onToggle, onHover }: Props) {
  const { tree, cost, tokens, folded, critical, matched } = model
  const marks = tree.marks[node] as number
  const hasChildren = isParent(tree, node)
  const isFolded = folded[node] === 1
  const classes = [
    styles.row,
    (marks & mark.error) === 0 ? null : styles.failed,
    matched?.[node] === 1 ? styles.matched : null,
    critical !== null && critical[node] === 0 ? styles.beside : null,
  ]
  return (
    <div
      aria-expanded={hasChildren ? !isFolded : undefined}
      aria-level={(tree.depth[node] as number) + 1}
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      className={classes.filter(Boolean).join(' ')}
      id={rowId(node)}
      onClick={() => onSelect(node)}
      onPointerEnter={() => onHover(node)}
      onPointerLeave={() => onHover(null)}
      role="row"
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={-1}
    >
      <NameCell hasChildren={hasChildren} isFolded={isFolded} node={node} onToggle={onToggle} tree={tree} />
      <div className={`${styles.figure} ${styles.secondary}`} role="gridcell">
        {showSum(tokens[node], formatTokens)}
      </div>
      <div className={`${styles.figure} ${styles.secondary}`} role="gridcell">
        {showSum(cost[node], formatUsd)}
      </div>
      <div className={styles.figure} role="gridcell">
        {showDuration(tree, node)}
      </div>
      <BarCell bar={barOf(node)} model={model} node={node} />
    </div>
  )
})

const showSum = (sum: number | undefined, format: (value: number) => string): string =>
  sum === undefined || Number.isNaN(sum) ? '' : format(sum)

function showDuration(tree: RowModel['tree'], node: number): string {
  const span = tree.spans[node]
  if (span === undefined) return ''
  return isOpen(tree, node) ? 'open' : formatDuration(span.duration_ms)
}

type NameProps = Pick<Props, 'node' | 'onToggle'> & {
  readonly tree: RowModel['tree']
  readonly hasChildren: boolean
  readonly isFolded: boolean
}

function NameCell({ tree, node, hasChildren, isFolded, onToggle }: NameProps) {
  const depth = tree.depth[node] as number
  const span = tree.spans[node]
  const callMark = span === undefined ? null : callMarkOf(span)
  const name = nameOf(tree, node)
  return (
    <div className={styles.name} role="gridcell" style={{ paddingLeft: Math.min(depth, maxIndents) * indentPx }}>
      {hasChildren ? (
        <button
          aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${name}`}
          className={styles.chevron}
          onClick={(event) => {
            event.stopPropagation()
            onToggle(node, event.shiftKey)
          }}
          tabIndex={-1}
          type="button"
        >
          {isFolded ? <ChevronRight aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
        </button>
      ) : (
        <span className={styles.chevron} />
      )}
      {depth > maxIndents ? <span className={styles.level}>{depth}</span> : null}
      <KindIcon kind={span?.kind ?? 'missing'} />
      <span className={styles.text} title={name}>
        {name}
      </span>
      {callMark === null || callMark === 'real' ? null : <CallMarkIcon mark={callMark} />}
      {callMark === null && span?.status === 'error' ? <CallMarkIcon mark="error" /> : null}
      <WarningMark said={describeMarks(tree, node)} />
      {hasChildren && isFolded ? (
        <span className={styles.hidden}>+{formatCount((tree.reach[node] as number) - 1)}</span>
      ) : null}
    </div>
  )
}

function BarCell({ model, node, bar }: { readonly model: RowModel; readonly node: number; readonly bar: Bar }) {
  const { tree, measure } = model
  const span = tree.spans[node]
  // A span without a duration has a bar, so that it can be found. A span without tokens or cost has none.
  const clipped = measure === 'duration' || bar.width > 0 ? clipBar(bar) : null
  if (clipped === null) return <div className={styles.lane} role="gridcell" />
  const callMark = span === undefined ? null : callMarkOf(span)
  const classes = [
    styles.bar,
    measure === 'duration' && isOpen(tree, node) ? styles.open : null,
    callMark === 'served' ? styles.served : null,
    span?.status === 'error' ? styles.failedBar : null,
  ]
  return (
    <div className={styles.lane} role="gridcell">
      <div
        className={classes.filter(Boolean).join(' ')}
        data-kind={span?.kind ?? 'missing'}
        style={{ left: `${clipped.left * 100}%`, width: `${clipped.width * 100}%` }}
      />
    </div>
  )
}

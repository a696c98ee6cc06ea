import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { ClaimIcon, VerdictBadge } from '../../decisions/Marks.tsx'
import { MoveMenu } from '../../decisions/Moves.tsx'
import { type Decision, readConfig, readScore } from '../../decisions/score.ts'
import { describeScope, nameClaim } from '../../decisions/wording.ts'
import { findSince, findWorth } from '../../decisions/worth.ts'
import {
  describeCostDelta,
  describeLatencyDelta,
  type Effect,
  formatCount,
  formatEvidenceOf,
  formatFraction,
  formatUsd,
  missing,
} from '../../format/index.ts'
import { Button, type Column, DecisionState, Link, Time } from '../../ui/index.ts'
import styles from './decisions.module.css'
import type { Order, Sorting } from './sort.ts'

type Given = {
  readonly workspaceId: string
  readonly nameAgent: (agentId: string | null) => string | null
  readonly sorting: Sorting | null
  readonly onSort: (order: Order) => void
}

type Sortable = {
  readonly order: Order
  readonly name: string
  readonly cell: (decision: Decision) => ReactNode
  readonly isNumber?: boolean
}

const sortable: readonly Sortable[] = [
  { order: 'tool_name', name: 'Tool', cell: (decision) => <ToolLink decision={decision} /> },
  { order: 'state', name: 'State', cell: ({ state }) => <DecisionState state={state} /> },
  {
    order: 'wrong_share',
    name: 'Wrong at most',
    isNumber: true,
    cell: (one) => formatFraction(readScore(one)?.wrongShareUpper ?? null),
  },
  { order: 'monthly_usd', name: '$ a month', isNumber: true, cell: showWorth },
  { order: 'trials', name: 'Trials', isNumber: true, cell: (one) => formatCount(readScore(one)?.trials ?? null) },
  { order: 'evidence', name: 'Evidence', isNumber: true, cell: showEvidence },
  {
    order: 'cost_delta_usd',
    name: 'Cost per call',
    isNumber: true,
    cell: (one) => show(one, describeCostDelta(one.cost_delta_usd, '')),
  },
  {
    order: 'latency_delta_ms',
    name: 'Duration per call',
    isNumber: true,
    cell: (one) => show(one, describeLatencyDelta(one.latency_delta_ms, '')),
  },
  { order: 'since', name: 'In this state since', cell: (one) => <Time time={findSince(one)} isRelative /> },
  { order: 'created_at', name: 'Created', cell: ({ created_at: time }) => <Time time={time} isRelative /> },
]

export function makeColumns({ workspaceId, nameAgent, sorting, onSort }: Given): readonly Column<Decision>[] {
  const columns: Column<Decision>[] = sortable.map(({ order, name, cell, isNumber = false }) => ({
    key: order,
    header: <SortHeader name={name} order={order} sorting={sorting} onSort={onSort} />,
    cell,
    isNumber,
    sorted: sorting?.order === order ? sorting.direction : null,
  }))
  const own: readonly Column<Decision>[] = [
    { key: 'claim', header: 'Claim', cell: ({ type }) => nameClaim(type) },
    {
      key: 'scope',
      header: 'Scope',
      cell: (decision) => describeScope(decision, nameAgent(readConfig(decision).agentId)),
    },
  ]
  const verdict: Column<Decision> = {
    key: 'verdict',
    header: 'Verdict',
    cell: (decision) => <VerdictBadge decision={decision} />,
  }
  const moves: Column<Decision> = {
    key: 'moves',
    header: <span className="visually-hidden">Moves</span>,
    cell: (decision) => <MoveMenu workspaceId={workspaceId} decision={decision} />,
  }
  // Verdict and savings come first, since columns further to the right are cut off in a window of 1280 pixels.
  return [...columns.slice(0, 2), verdict, ...columns.slice(2, 4), ...own, ...columns.slice(4), moves]
}

type HeaderProps = Pick<Given, 'sorting' | 'onSort'> & { readonly name: string; readonly order: Order }

function SortHeader({ name, order, sorting, onSort }: HeaderProps) {
  const direction = sorting?.order === order ? sorting.direction : null
  const Icon = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <Button variant="quiet" className={styles.sort} onClick={() => onSort(order)}>
      {name}
      {direction !== null && <Icon size={12} aria-hidden="true" />}
    </Button>
  )
}

const ToolLink = ({ decision }: { readonly decision: Decision }) => (
  <span className={styles.tool} data-row-link>
    <ClaimIcon type={decision.type} />
    <Link to="/w/$workspace_id/decisions/$decision_id" params={{ decision_id: decision.id }}>
      {readConfig(decision).toolName}
    </Link>
  </span>
)

function showEvidence(decision: Decision): string {
  const score = readScore(decision)
  return score === null ? missing : formatEvidenceOf(score.evidence, score.evidenceNeeded)
}

function showWorth(decision: Decision): string {
  const worth = findWorth(decision)
  if (worth === null) return missing
  // A disabled rule saves nothing now.
  return `${formatUsd(worth.usd)} ${decision.state === 'disabled' ? 'was ' : ''}${worth.kind}`
}

/** A disabled rule has no effect, so its last measurement is neither good nor bad. */
const show = ({ state }: Decision, { amount, word, tone }: Effect): ReactNode =>
  state === 'disabled' ? amount : <span className={styles[tone]}>{word === '' ? amount : `${amount}, ${word}`}</span>

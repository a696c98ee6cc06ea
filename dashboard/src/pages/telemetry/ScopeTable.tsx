// The table of instrumentations, one row for each scope, version and dialect. Each problem links to the data behind it.
import type { ReactNode } from 'react'
import { formatCount, formatShare, formatUsd } from '../../format/index.ts'
import { Badge, type Column, Link, type LinkProps, Table, Term, Time } from '../../ui/index.ts'
import {
  countAmong,
  describeTwice,
  type Instrumentation,
  keyOf,
  nameScope,
  type Problem,
  problems,
} from './problems.ts'
import styles from './telemetry.module.css'

const findings = '/w/$workspace_id/findings'
const unclear = { type: 'telemetry_unclear', status: 'any' }

/** The page that shows the spans of a problem. Events cannot be filtered by scope; findings list traces of it. */
const places: Readonly<Record<Problem['key'], Pick<LinkProps, 'to' | 'search'>>> = {
  dialect: { to: '/w/$workspace_id/events', search: { kind: 'other' } },
  other: { to: '/w/$workspace_id/events', search: { kind: 'other' } },
  'told-twice': { to: findings, search: unclear },
  unpriced: { to: findings, search: { type: 'unpriced_model', status: 'any' } },
  cost: { to: findings, search: unclear },
  unnamed: { to: '/w/$workspace_id/agents' },
}

const columns: readonly Column<Instrumentation>[] = [
  {
    key: 'scope',
    header: 'Instrumentation',
    cell: (item) => (
      <span title={item.scope_name ?? undefined}>
        {nameScope(item)} {item.scope_version !== null && <span className={styles.version}>{item.scope_version}</span>}
      </span>
    ),
  },
  {
    key: 'dialect',
    header: <Term means="The naming convention that the attributes of the spans follow">Dialect</Term>,
    cell: ({ dialect }) => (dialect === null ? <Badge tone="warning">not understood</Badge> : dialect),
  },
  {
    key: 'spans',
    header: 'Spans',
    isNumber: true,
    cell: ({ spans }) => <Link to="/w/$workspace_id/events">{formatCount(spans)}</Link>,
  },
  {
    key: 'other',
    header: <Term means="Spans that are not known to be calls of a model, a tool or an agent">Kind other</Term>,
    isNumber: true,
    cell: (item) => <Count item={item} of="other" hasShare />,
  },
  {
    key: 'twice',
    header: (
      <Term means="Model calls that another instrumentation reports as well; each counts once">Reported twice</Term>
    ),
    isNumber: true,
    cell: (item) => <Count item={item} of="told-twice" note={describeTwice(item)} />,
  },
  {
    key: 'unpriced',
    header: <Term means="Model calls without a price; total costs do not include them">Unpriced</Term>,
    isNumber: true,
    cell: (item) => <Count item={item} of="unpriced" />,
  },
  {
    key: 'cost',
    header: (
      <Term means="How much the costs that the sender reports differ from the computed ones">Cost differs by</Term>
    ),
    isNumber: true,
    cell: (item) => (
      <Count
        item={item}
        of="cost"
        shown={formatUsd(item.cost_disagreement_usd)}
        note={`in ${formatCount(item.cost_disagreements)}`}
      />
    ),
  },
  {
    key: 'unnamed',
    header: <Term means="Spans that do not name their agent">Agents unnamed</Term>,
    isNumber: true,
    cell: (item) => <Count item={item} of="unnamed" />,
  },
  { key: 'seen', header: 'Last seen', cell: ({ last_seen: time }) => <Time time={time} isRelative /> },
]

type CountProps = {
  readonly item: Instrumentation
  readonly of: Problem['key']
  readonly hasShare?: boolean
  readonly shown?: ReactNode
  readonly note?: string | null
}

/** Shows a number that should be zero. If it is not, it is a link whose title says what to change. */
function Count({ item, of, hasShare = false, shown, note = null }: CountProps) {
  const problem = problems.find(({ key }) => key === of)
  const count = problem?.count(item) ?? 0
  if (problem === undefined || count === 0) return <span className={styles.none}>0</span>
  return (
    <>
      <Link {...places[of]} title={problem.advice}>
        {shown ?? (hasShare ? formatShare(count, countAmong(problem, item)) : formatCount(count))}
      </Link>
      {note !== null && <span className={styles.note}> {note}</span>}
    </>
  )
}

export const ScopeTable = ({ items }: { readonly items: readonly Instrumentation[] }) => (
  <Table label="Instrumentations" columns={columns} rows={items} rowKey={keyOf} />
)

import { useEffect, useRef } from 'react'
import { formatCount } from '../../format/index.ts'
import { Badge, type Column, Link, Severity, Table, Time } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import styles from './findings.module.css'
import { searchOf } from './list-search.ts'
import { MonthlyCost } from './MonthlyCost.tsx'
import type { Finding } from './queries.ts'
import { namePeriod } from './rows.ts'
import { TimesHeader } from './TimesHeader.tsx'

type Props = {
  readonly rows: readonly Finding[]
  readonly search: Search
  readonly agentNames: ReadonlyMap<string, string>
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: ReadonlySet<string>) => void
  /** The finding that the panel shows. The table is narrow while the panel is open. */
  readonly shownId: string | null
  readonly hasStatus: boolean
}

export function FindingTable({ rows, search, agentNames, selected, onSelect, shownId, hasStatus }: Props) {
  const toggle = (id: string): void => onSelect(toggleIn(selected, id))
  const columns: readonly Column<Finding>[] = [
    {
      key: 'select',
      header: <SelectAll rows={rows} selected={selected} onSelect={onSelect} />,
      cell: ({ id, title }) => (
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={`Select: ${title}`}
            title="Select (x)"
            checked={selected.has(id)}
            onChange={() => toggle(id)}
          />
        </label>
      ),
    },
    { key: 'severity', header: 'Severity', cell: ({ severity }) => <Severity severity={severity} /> },
    {
      key: 'title',
      header: 'Finding',
      isName: true,
      isSentence: true,
      cell: ({ id, title }) => (
        <Link
          to="/w/$workspace_id/findings"
          search={searchOf(search, id)}
          className={styles.title}
          title={title}
          isView
        >
          {title}
        </Link>
      ),
    },
    ...(hasStatus ? [{ key: 'status', header: 'Status', cell: ({ status }: Finding) => <Badge>{status}</Badge> }] : []),
    ...(shownId === null
      ? [
          {
            key: 'subject',
            header: 'Subject',
            cell: (finding: Finding) => <Subject finding={finding} names={agentNames} />,
          },
        ]
      : []),
    { key: 'count', header: <TimesHeader />, isNumber: true, cell: showTimes },
    { key: 'cost', header: '$ a month', isNumber: true, cell: (finding) => <MonthlyCost finding={finding} /> },
    ...(shownId === null
      ? [{ key: 'seen', header: 'Last seen', cell: ({ last_seen: time }: Finding) => <Time time={time} isRelative /> }]
      : []),
  ]
  return (
    <Table
      label="Findings"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      isCurrent={({ id }) => id === shownId}
    />
  )
}

function showTimes(finding: Finding): string {
  const period = namePeriod(finding)
  return `${formatCount(finding.occurrences)}${period === null ? '' : ` in ${period}`}`
}

export function toggleIn(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

function SelectAll({ rows, selected, onSelect }: Pick<Props, 'rows' | 'selected' | 'onSelect'>) {
  const box = useRef<HTMLInputElement>(null)
  const isAll = rows.length > 0 && selected.size === rows.length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected.size > 0 && !isAll
  }, [selected, isAll])
  return (
    <label className={styles.check}>
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all findings that are shown"
        checked={isAll}
        onChange={() => onSelect(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
      />
    </label>
  )
}

/** Shows what the finding is about: the tool, the agent, the model. */
function Subject({ finding, names }: { readonly finding: Finding; readonly names: ReadonlyMap<string, string> }) {
  const { tool_name: tool, agent_id: agentId, model } = finding
  const parts = [tool, agentId === null ? null : (names.get(agentId) ?? null), model].filter((part) => part !== null)
  const text = parts.join(' · ')
  return (
    <span className={styles.subject} title={text}>
      {text === '' ? 'the workspace' : text}
    </span>
  )
}

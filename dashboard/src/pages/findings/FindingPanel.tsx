// The panel of one finding next to the list: what it is, what it costs and how that was computed, what to do, and the traces that show it.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { formatCount } from '../../format/index.ts'
import { Badge, Button, CopyButton, ErrorNote, Link, Severity, Skeleton, Time } from '../../ui/index.ts'
import { nameFindingType } from './advice.ts'
import { Evidence, EvidenceTraces } from './Evidence.tsx'
import styles from './findings.module.css'
import { Price } from './Price.tsx'
import { type Finding, findingQuery } from './queries.ts'
import { namePeriod } from './rows.ts'
import { Section } from './Section.tsx'
import { StatusButtons, type StatusButtonsProps } from './StatusButtons.tsx'
import { WhatToDo } from './WhatToDo.tsx'

type Props = Pick<StatusButtonsProps, 'unavailable' | 'onChange'> & {
  readonly workspaceId: string
  readonly findingId: string
  /** The finding as the list has it. Undefined: the panel loads it. */
  readonly known: Finding | undefined
  readonly agentNames: ReadonlyMap<string, string>
  readonly onClose: () => void
}

export function FindingPanel({ workspaceId, findingId, known, agentNames, onClose, ...buttons }: Props) {
  const query = useQuery({ ...findingQuery(workspaceId, findingId), enabled: known === undefined })
  const finding = known ?? query.data
  return (
    <aside aria-label="Finding" className={styles.panel} aria-busy={finding === undefined && query.isPending}>
      <header className={styles.panelHead}>
        <h2>{finding?.title ?? 'Finding'}</h2>
        <Button aria-label="Close the finding" title="Close (Esc)" variant="quiet" onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </Button>
      </header>
      {finding === undefined && query.error !== null && (
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      )}
      {finding === undefined && query.isPending && <Skeleton height={320} />}
      {finding !== undefined && (
        <>
          <p className={styles.facts}>
            <Severity severity={finding.severity} />
            <Badge>{finding.status}</Badge>
            <span>{nameFindingType(finding.type)}</span>
            <CopyButton text={finding.id} label="Copy the id of the finding" />
          </p>
          <StatusButtons findings={[finding]} {...buttons} />
          <Section title="What was found">
            <p className={styles.text}>{finding.detail}</p>
            <About finding={finding} agentNames={agentNames} />
          </Section>
          <Section title="What it costs">
            <Price finding={finding} />
          </Section>
          <WhatToDo workspaceId={workspaceId} finding={finding} />
          <Section title="Evidence">
            <EvidenceTraces finding={finding} />
            <Evidence finding={finding} />
          </Section>
        </>
      )}
    </aside>
  )
}

function About({
  finding,
  agentNames,
}: {
  readonly finding: Finding
  readonly agentNames: ReadonlyMap<string, string>
}) {
  const { agent_id: agentId, tool_name: tool, model } = finding
  const period = namePeriod(finding)
  return (
    <dl className={styles.pairs}>
      {agentId !== null && (
        <div>
          <dt>Agent</dt>
          <dd>
            <Link to="/w/$workspace_id/agents/$agent_id" params={{ agent_id: agentId }} search={{ agent_id: null }}>
              {agentNames.get(agentId) ?? agentId}
            </Link>
          </dd>
        </div>
      )}
      {tool !== null && (
        <div>
          <dt>Tool</dt>
          <dd>{tool}</dd>
        </div>
      )}
      {model !== null && (
        <div>
          <dt>Model</dt>
          <dd>{model}</dd>
        </div>
      )}
      <div>
        <dt>Seen</dt>
        <dd>
          {formatCount(finding.occurrences)} {finding.occurrences === 1 ? 'time' : 'times'}
          {period !== null && ` in ${period}`}, first <Time time={finding.first_seen} isRelative />, last{' '}
          <Time time={finding.last_seen} isRelative />
        </dd>
      </div>
    </dl>
  )
}

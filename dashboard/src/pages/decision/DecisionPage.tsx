// The page of one decision: what it claims, whether it is proven, what it saves, and its audit trail.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isNotFound } from '../../api/fault.ts'
import { findArrival } from '../../decisions/ending.ts'
import { MoveButtons, MoveDialogs } from '../../decisions/Moves.tsx'
import { decisionQuery, trailQuery } from '../../decisions/queries.ts'
import { type Decision, readConfig, type Transition } from '../../decisions/score.ts'
import { useActorNames, useAgentNames } from '../../decisions/use-names.ts'
import { describeClaim } from '../../decisions/wording.ts'
import { findSince } from '../../decisions/worth.ts'
import { CopyButton, DecisionState, ErrorNote, NotFound, Page, Skeleton, Time, useSkeleton } from '../../ui/index.ts'
import { describeIgnored, oneOf, readFilters, type Search } from '../../window/index.ts'
import { ConfigPanel } from './ConfigPanel.tsx'
import styles from './decision.module.css'
import { Effects } from './Effects.tsx'
import { EvidencePanel } from './EvidencePanel.tsx'
import { Ladder } from './Ladder.tsx'
import { Net } from './Net.tsx'
import { Outcomes } from './Outcomes.tsx'
import { ProposalPanel } from './ProposalPanel.tsx'
import { TrailPanel } from './TrailPanel.tsx'
import { TrialsPanel } from './TrialsPanel.tsx'
import { VerdictPanel } from './VerdictPanel.tsx'

const route = getRouteApi('/w/$workspace_id/decisions/$decision_id')
const readers = { matched: oneOf('true', 'false') }
const pageHeight = 480

export function DecisionPage() {
  const { workspace_id: workspaceId, decision_id: decisionId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { filters, ignored } = readFilters(search, readers)
  const query = useQuery(decisionQuery(workspaceId, decisionId))
  const trail = useInfiniteQuery(trailQuery(workspaceId, decisionId))
  const phase = useSkeleton(query.isPending)
  const [openedAtMs] = useState(() => Date.now())
  // Advances with each response: the savings of the rule are counted up to this time.
  const nowMs = Math.max(openedAtMs, query.dataUpdatedAt)
  const note = describeIgnored(ignored)
  const { data: decision, error } = query
  if (isNotFound(error)) return <NotFound />
  return (
    <Page
      title={decision === undefined ? 'Decision' : readConfig(decision).toolName}
      actions={
        decision !== undefined && (
          <MoveDialogs workspaceId={workspaceId}>
            <MoveButtons workspaceId={workspaceId} decision={decision} />
          </MoveDialogs>
        )
      }
    >
      {note !== null && <p role="status">{note}</p>}
      {error !== null && <ErrorNote error={error} onRetry={() => void query.refetch()} />}
      {phase === 'skeleton' && <Skeleton height={pageHeight} />}
      {phase === 'content' && decision !== undefined && (
        <>
          <Claim workspaceId={workspaceId} decision={decision} trail={trail.data ?? []} nowMs={nowMs} />
          <div className={styles.halves}>
            <VerdictPanel decision={decision} trail={trail.data ?? []} />
            <Ladder decision={decision} />
          </div>
          <EvidencePanel workspaceId={workspaceId} decision={decision} trail={trail.data ?? []} nowMs={nowMs} />
          <Effects workspaceId={workspaceId} decision={decision} nowMs={nowMs} />
          <Outcomes decision={decision} />
          <TrialsPanel workspaceId={workspaceId} decision={decision} matched={filters.matched} />
          <div className={styles.halves}>
            <ProposalPanel decision={decision} />
            <ConfigPanel workspaceId={workspaceId} decision={decision} />
          </div>
          <TrailPanel workspaceId={workspaceId} query={trail} />
        </>
      )}
    </Page>
  )
}

type ClaimProps = {
  readonly workspaceId: string
  readonly decision: Decision
  readonly trail: readonly Transition[]
  readonly nowMs: number
}

function Claim({ workspaceId, decision, trail, nowMs }: ClaimProps) {
  const nameAgent = useAgentNames(workspaceId)
  const nameActor = useActorNames(workspaceId)
  const { before, tool, after } = describeClaim(decision, nameAgent(readConfig(decision).agentId))
  const arrival = findArrival(trail, decision.state)
  const isTripped = decision.state === 'disabled' && arrival?.actor === 'gate'
  return (
    <div className={styles.claim}>
      <p className={styles.sentence}>
        {before}
        <code>{tool}</code>
        {after}
      </p>
      <p className={styles.facts}>
        <DecisionState state={decision.state} isTripped={isTripped} />
        <CopyButton text={decision.id} label="Copy the id of the decision" />
        <span>
          since <Time time={findSince(decision)} precision="s" />
          {arrival !== null && `, by ${nameActor(arrival)}`}
          {arrival?.reason != null && `: ${arrival.reason}`}
        </span>
      </p>
      {decision.activated_at !== null && <Net workspaceId={workspaceId} decision={decision} nowMs={nowMs} />}
    </div>
  )
}

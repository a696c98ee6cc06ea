// The page of savings: what the rules of the workspace saved in the window, net.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAgents } from '../../agents/use-agents.ts'
import type { Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { decisionCountsQuery } from '../../decisions/queries.ts'
import { formatCount } from '../../format/index.ts'
import { savingsQuery } from '../../stats/queries.ts'
import { ErrorNote, Page, Panel } from '../../ui/index.ts'
import { describeIgnored, readFilters, type Search, uuidFilter } from '../../window/index.ts'
import { isOpen } from '../overview/use-notice-facts.ts'
import { Equation } from './Equation.tsx'
import { countUnpricedRules, findLastActive, listMoments, sortRules } from './facts.ts'
import { NetChart } from './NetChart.tsx'
import { NoSavings } from './NoSavings.tsx'
import { PromptCaches } from './PromptCaches.tsx'
import { changedRulesQuery } from './queries.ts'
import { RuleTable } from './RuleTable.tsx'
import styles from './savings.module.css'

const route = getRouteApi('/w/$workspace_id/savings')
const noDecisions: readonly Schemas['Decision'][] = []

export function SavingsPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { window } = usePageWindow()
  const { filters, ignored } = readFilters(search, { agent_id: uuidFilter })
  const scope = { workspaceId, window, agentId: undefined }
  const savings = useQuery(savingsQuery(scope))
  const counts = useQuery(decisionCountsQuery(workspaceId))
  const agents = useAgents(workspaceId, false)
  const changed = useQuery(changedRulesQuery(workspaceId))
  const decisions = changed.data ?? noDecisions
  const moments = useMemo(() => listMoments(decisions, window), [decisions, window])
  const note = describeIgnored([...window.ignored, ...ignored])
  const isIdle = savings.data?.decisions.length === 0
  // Each of these is needed to explain why nothing was saved.
  const reasons = [counts, agents, changed].filter(({ data }) => data === undefined)
  const failed = reasons.find(({ error }) => error !== null)
  // The content below is shown only once it is complete, so that nothing is pushed down.
  const isReady = ![savings, ...(isIdle ? [counts, agents, changed] : [])].some(isOpen)
  return (
    <Page title="Savings">
      {note !== null && <p role="status">{note}</p>}
      {filters.agent_id !== undefined && <p>Rules are not split by agent: this is the whole workspace.</p>}
      <Panel title="Saved by rules" isTitled={false} query={savings} height={128}>
        {(data) => <Equation savings={data} />}
      </Panel>
      {isReady && isIdle && failed !== undefined && (
        <ErrorNote error={failed.error} onRetry={() => void Promise.all(reasons.map((one) => one.refetch()))} />
      )}
      {isReady && isIdle && counts.data !== undefined && agents.data !== undefined && changed.data !== undefined && (
        <NoSavings counts={counts.data} hasAgents={agents.data.length > 0} lastActiveMs={findLastActive(decisions)} />
      )}
      {isReady && !isIdle && (
        <>
          <Panel title="Net over time" isTitled={false} query={savings} height={264}>
            {(data) => <NetChart savings={data} moments={moments} />}
          </Panel>
          <Panel title="By rule" query={savings} height={120}>
            {(data) => (
              <>
                <RuleTable rules={sortRules(data.decisions)} />
                <UnpricedNote rules={countUnpricedRules(data.decisions)} />
              </>
            )}
          </Panel>
        </>
      )}
      {isReady && <PromptCaches scope={scope} />}
    </Page>
  )
}

function UnpricedNote({ rules }: { readonly rules: number }) {
  if (rules === 0) return null
  return (
    <p className={styles.says}>
      {rules === 1 ? 'Of one rule' : `Of ${formatCount(rules)} rules`} no real call reports a cost, so that what it
      saves is known in time alone. Set <code>costUsd</code> in the options of the tool.
    </p>
  )
}

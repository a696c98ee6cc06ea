import { useQuery } from '@tanstack/react-query'
import { stateMeanings, states } from '../../decisions/lifecycle.ts'
import { NoDecisions } from '../../decisions/NoDecisions.tsx'
import { decisionCountsQuery } from '../../decisions/queries.ts'
import { formatCount } from '../../format/index.ts'
import { DecisionState, Link, Panel } from '../../ui/index.ts'
import styles from './overview.module.css'

const height = 220

export function DecisionCounts({ workspaceId }: { readonly workspaceId: string }) {
  const query = useQuery(decisionCountsQuery(workspaceId))
  return (
    <Panel
      title="Decisions by state"
      query={query}
      height={height}
      actions={<Link to="/w/$workspace_id/decisions">All decisions</Link>}
      empty={({ total }) => (total === 0 ? <NoDecisions /> : null)}
    >
      {({ by_state: counts }) => (
        <dl className={styles.states}>
          {states.map((state) => (
            <div key={state} className={styles.state}>
              <dt>
                <Link to="/w/$workspace_id/decisions" search={{ view: 'list', state }}>
                  <DecisionState state={state} />
                </Link>
              </dt>
              <dd>
                <span className={styles.count}>{formatCount(counts[state])}</span> {stateMeanings[state]}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}

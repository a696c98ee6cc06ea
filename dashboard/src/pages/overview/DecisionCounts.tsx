import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../format/index.ts'
import { CopyLine, DecisionState, Empty, Panel } from '../../ui/index.ts'
import styles from './overview.module.css'
import { decisionCountsQuery } from './queries.ts'

const states = ['proposed', 'shadow', 'active', 'disabled'] as const
const height = 220

const attest = `const search = tracewright.tool('search_docs', searchDocs, {
  attest: true, // the same input gives the same result
})`

const meanings: Readonly<Record<(typeof states)[number], string>> = {
  proposed: 'found in the traces',
  shadow: 'measured, nothing is served',
  active: 'stored results are served',
  disabled: 'calls run for real',
}

export function DecisionCounts({ workspaceId }: { readonly workspaceId: string }) {
  const query = useQuery(decisionCountsQuery(workspaceId))
  return (
    <Panel
      title="Decisions by state"
      query={query}
      height={height}
      empty={({ total }) =>
        total === 0 ? (
          <Empty action={<CopyLine text={attest} label="Attesting a tool" />}>
            There is no rule yet. Rules are proposed for tools that you attest: you say that their result depends only
            on their input, and the service proves it on your traffic before anything is served.
          </Empty>
        ) : null
      }
    >
      {({ by_state: counts }) => (
        <dl className={styles.states}>
          {states.map((state) => (
            <div key={state} className={styles.state}>
              <dt>
                <DecisionState state={state} />
              </dt>
              <dd>
                <span className={styles.count}>{formatCount(counts[state])}</span> {meanings[state]}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}

// The evidence of a finding: the traces that show it, and the counts.
import { shortId } from '../../format/index.ts'
import { CopyButton, Link } from '../../ui/index.ts'
import { type Fact, listFacts } from './evidence-facts.ts'
import styles from './findings.module.css'
import type { Finding } from './queries.ts'
import { readTraceIds } from './rows.ts'

/** Fields that other parts of the panel show, or that are not meant for people. */
const elsewhere = new Set(['trace_ids', 'price', 'observed', 'remedy', 'looked_at'])
// The window begins this long before the finding was first seen, since a trace begins before the finding in it.
const aroundMs = 3_600_000

export const Evidence = ({ finding: { evidence } }: { readonly finding: Finding }) => (
  <FactList facts={listFacts(evidence, elsewhere)} />
)

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className={styles.pairs}>
      {facts.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

export function EvidenceTraces({ finding }: { readonly finding: Finding }) {
  const ids = readTraceIds(finding)
  const { tool_name: tool, model, agent_id: agentId, first_seen: first, last_seen: last } = finding
  const bounds = {
    range: null,
    from_time: new Date(Date.parse(first) - aroundMs).toISOString(),
    to_time: new Date(Date.parse(last) + 1_000).toISOString(),
  }
  const search = { ...bounds, agent_id: agentId, tool_name: tool, model }
  return (
    <>
      {ids.length === 0 ? (
        <p className={styles.text}>No single trace shows it.</p>
      ) : (
        <ul className={styles.traces} aria-label="Traces that show it, the newest first">
          {ids.map((id) => (
            <li key={id}>
              <Link to="/w/$workspace_id/traces/$trace_id" params={{ trace_id: id }} search={search} title={id}>
                <code>{shortId(id)}</code>
              </Link>
              <CopyButton text={id} label={`Copy the trace id ${shortId(id)}`} />
            </li>
          ))}
        </ul>
      )}
      {(tool !== null || model !== null || agentId !== null) && (
        <p>
          <Link to="/w/$workspace_id/traces" search={search}>
            All traces {tool !== null ? `with ${tool}` : model !== null ? `with ${model}` : 'of the agent'} while it was
            seen
          </Link>
        </p>
      )}
    </>
  )
}

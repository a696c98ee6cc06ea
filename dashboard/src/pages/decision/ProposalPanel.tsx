// What the calls of the tool show: as last counted, or as counted when the rule was proposed.
import { type ReactNode, useId } from 'react'
import { type Decision, type Proposal, readProposal } from '../../decisions/score.ts'
import { exact, formatCount, formatDuration, formatUsd, shortId } from '../../format/index.ts'
import { Link, Time } from '../../ui/index.ts'
import styles from './decision.module.css'

export function ProposalPanel({ decision }: { readonly decision: Decision }) {
  const id = useId()
  const proposal = readProposal(decision)
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>{proposal?.isCurrent === true ? 'Calls of the tool' : 'Evidence of the proposal'}</h2>
      </header>
      {proposal === null ? (
        <p className={styles.muted}>A person proposed this rule, without figures.</p>
      ) : (
        <>
          <p className={styles.muted}>
            {proposal.isCurrent
              ? 'Counted again with each measurement in shadow that finds further calls.'
              : 'As counted when the rule was proposed, and not since.'}
          </p>
          <dl className={styles.pairs}>
            {listFacts(proposal).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}

type Fact = readonly [name: string, value: ReactNode]

function listFacts(proposal: Proposal): Fact[] {
  const { observed, traceIds } = proposal
  const facts: (Fact | null)[] = [
    count('Calls of the tool', proposal.executions),
    count('Different inputs', proposal.inputs),
    count('Calls that a stored result could have answered', proposal.reusable),
    count('Results that were in a prompt', proposal.consumed),
    count('Results that a model used', proposal.read),
    proposal.medianMs === null ? null : ['Median duration of the tool', formatDuration(proposal.medianMs)],
    proposal.meanUsd === null ? null : ['Mean cost of such a call', formatUsd(proposal.meanUsd)],
    proposal.seenUsd === null ? null : ['Would have saved in that time', formatUsd(proposal.seenUsd)],
    proposal.monthlyUsd === null ? null : ['Expected a month', formatUsd(proposal.monthlyUsd)],
    count('Expected served calls a month', proposal.monthlyCalls === null ? null : Math.round(proposal.monthlyCalls)),
    proposal.monthlySavedMs === null
      ? null
      : ['Expected waiting saved a month', formatDuration(proposal.monthlySavedMs)],
    observed === null
      ? null
      : [
          'Seen',
          <>
            <Time time={observed.from} /> to <Time time={observed.to} />, {exact(observed.days)} days
          </>,
        ],
    traceIds.length === 0
      ? null
      : [
          'Traces',
          <span key="traces" className={styles.links}>
            {traceIds.map((traceId) => (
              <Link key={traceId} to="/w/$workspace_id/traces/$trace_id" params={{ trace_id: traceId }} title={traceId}>
                <code>{shortId(traceId)}</code>
              </Link>
            ))}
          </span>,
        ],
  ]
  return facts.filter((fact) => fact !== null)
}

const count = (name: string, value: number | null): Fact | null => (value === null ? null : [name, formatCount(value)])

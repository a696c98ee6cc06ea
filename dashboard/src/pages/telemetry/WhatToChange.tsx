// The list of present problems: the instrumentations that have each one, its effect on the figures, and what to change.
import { CircleCheck } from 'lucide-react'
import { countOf, formatShare, formatUsd } from '../../format/index.ts'
import { CopyLine, Link } from '../../ui/index.ts'
import { describeTwice, type Found, findProblems, type Instrumentation, keyOf, nameScope } from './problems.ts'
import styles from './telemetry.module.css'

export function WhatToChange({ items }: { readonly items: readonly Instrumentation[] }) {
  const found = findProblems(items)
  return (
    <section aria-labelledby="what-to-change" className={styles.changes}>
      <h2 id="what-to-change">What to change in the set-up</h2>
      {found.length === 0 ? (
        <p className={styles.fine}>
          <CircleCheck size={14} aria-hidden="true" /> Nothing: every span of this window is understood, every call is
          reported once and has a price, and every agent has a name.
        </p>
      ) : (
        <div className={styles.problems}>
          {found.map((one) => (
            <ProblemCard key={one.problem.key} found={one} />
          ))}
        </div>
      )}
    </section>
  )
}

function ProblemCard({ found: { problem, items } }: { readonly found: Found }) {
  const { key, title, advice, code } = problem
  return (
    <article className={styles.problem} aria-labelledby={key}>
      <h3 id={key}>{title}</h3>
      <ul>
        {items.map(({ item, count, among }) => (
          <li key={keyOf(item)}>
            <code>{nameScope(item)}</code> {countOf(count, 'span')}
            {among === count
              ? `, all of its ${problem.among}`
              : ` (${formatShare(count, among)} of its ${problem.among})`}
            {key === 'cost' && `, together by ${formatUsd(item.cost_disagreement_usd)}`}
            {key === 'told-twice' && `: ${describeTwice(item) ?? ''}`}
          </li>
        ))}
      </ul>
      <p>
        {advice} {key === 'unpriced' && <Link to="/w/$workspace_id/settings/prices">Set a price</Link>}
      </p>
      {code !== undefined && <CopyLine text={code} label={`${title}: what to set`} />}
    </article>
  )
}

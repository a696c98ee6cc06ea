// The cost of a finding, and how it was computed.
import { formatUsd, missing } from '../../format/index.ts'
import { Time } from '../../ui/index.ts'
import { FactList } from './Evidence.tsx'
import { listFacts } from './evidence-facts.ts'
import styles from './findings.module.css'
import { MonthlyCost } from './MonthlyCost.tsx'
import type { Finding } from './queries.ts'
import { asRecord, readContainer, readSeenUsd } from './rows.ts'

/** Fields that are shown on separate lines. */
const told = new Set(['basis', 'seen_usd', 'contained_in'])

export function Price({ finding }: { readonly finding: Finding }) {
  const price = asRecord(finding.evidence['price'])
  const container = readContainer(finding)
  const basis = typeof price['basis'] === 'string' ? price['basis'] : null
  const seenUsd = readSeenUsd(finding)
  return (
    <>
      <p className={styles.price}>
        <MonthlyCost finding={finding} /> <span>a month</span>
      </p>
      {seenUsd === null ? (
        <p className={styles.text}>No estimate: {basis ?? 'no event reports a price'}.</p>
      ) : (
        <>
          <p className={styles.text}>
            Computed from {basis}.{' '}
            {finding.est_monthly_cost_usd === null
              ? 'Less than 24 hours were observed, so only the minimum cost is known.'
              : 'The monthly cost is 30 times the observed daily mean.'}
          </p>
          {container !== null && (
            <p className={styles.text}>The finding “{container}” contains this cost: do not add the two.</p>
          )}
          <dl className={styles.pairs}>
            <div>
              <dt>Seen</dt>
              <dd>
                {seenUsd === 0 ? missing : formatUsd(seenUsd)} <Observed finding={finding} />
              </dd>
            </div>
          </dl>
          <FactList facts={listFacts(price, told)} />
        </>
      )}
    </>
  )
}

function Observed({ finding: { evidence } }: { readonly finding: Finding }) {
  const { from, to, days } = asRecord(evidence['observed'])
  if (typeof from !== 'string' || typeof to !== 'string' || typeof days !== 'number') return null
  return (
    <>
      in {days} {days === 1 ? 'day' : 'days'}, <Time time={from} /> to <Time time={to} />
    </>
  )
}

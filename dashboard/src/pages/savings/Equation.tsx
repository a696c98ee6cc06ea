// The equation of the savings: gross − lost prompt cache − wrong servings = net. Each term is shown with what it includes.
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { countOf, describeSaving, type Effect, formatUsd, formatUsdExact } from '../../format/index.ts'
import { Duration } from '../../ui/index.ts'
import styles from './savings.module.css'

type Savings = Schemas['Savings']

const netWords: Readonly<Record<Effect['tone'], string>> = { good: 'Saved', bad: 'Lost', even: 'No change' }

export function Equation({ savings }: { readonly savings: Savings }) {
  const { gross_usd: gross, cache_loss_usd: cacheLoss, wrong_cost_usd: wrong, net_usd: net } = savings
  const effect = describeSaving(net)
  return (
    <div className={styles.sums}>
      <dl className={styles.equation}>
        <Term
          label="Gross"
          usd={gross}
          says={`What the ${countOf(savings.served_calls, 'served call')} would have cost, each at the mean of real calls with its input`}
        />
        <Term
          sign="−"
          label="Lost prompt cache"
          usd={cacheLoss}
          says="Savings of provider prompt caches that were lost on served results, compared with real ones"
        />
        <Term
          sign="−"
          label="Wrong servings"
          usd={wrong}
          says="The cost of wrong served results: gross times the share of wrong results among the held-out calls of the same activation of the rule"
        />
        <Term
          sign="="
          label="Net"
          shown={<span className={styles[effect.tone]}>{effect.amount}</span>}
          usd={net}
          says={`${netWords[effect.tone]}. Negative if the rules cost more than they saved`}
        />
      </dl>
      <dl className={styles.beside}>
        <Term
          label="Held out"
          usd={savings.holdout_cost_usd}
          says={`${countOf(savings.holdout_calls, 'call')} of the rules ran for real to check the results. Their cost is not deducted from net`}
        />
        <Term
          label="Waiting saved"
          shown={<Duration ms={savings.latency_saved_ms} />}
          usd={null}
          says="The time that the served calls would have taken, less the time that serving took"
        />
      </dl>
    </div>
  )
}

type TermProps = {
  /** The operator before the amount. */
  readonly sign?: string
  readonly label: string
  readonly usd: number | null
  readonly shown?: ReactNode
  readonly says: string
}

function Term({ sign, label, usd, shown, says }: TermProps) {
  return (
    <div className={styles.term}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.amount} title={usd === null ? undefined : formatUsdExact(usd)}>
          {sign !== undefined && <span className={styles.sign}>{sign}</span>}
          {shown ?? formatUsd(usd)}
        </span>
        <span className={styles.says}>{says}</span>
      </dd>
    </div>
  )
}

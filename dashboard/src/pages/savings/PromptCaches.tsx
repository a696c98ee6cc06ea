// What the prompt caches of model providers saved. Rules have no part in these savings.
import { useQuery } from '@tanstack/react-query'
import { describeSaving, formatShare, formatUsdExact } from '../../format/index.ts'
import { type Scope, summaryQuery } from '../../stats/queries.ts'
import { Panel, Tokens } from '../../ui/index.ts'
import styles from './savings.module.css'

export function PromptCaches({ scope }: { readonly scope: Scope }) {
  const summary = useQuery(summaryQuery(scope))
  return (
    <Panel title="Prompt caches of the providers, not part of net" query={summary} height={64}>
      {({ estimated_cache_savings_usd: usd, cached_tokens: cached, input_tokens: input }) => {
        if (input === 0) return <p>No model was called in this window.</p>
        const { amount, word, tone } = describeSaving(usd)
        return (
          <div className={styles.caches}>
            <p className={styles.amount} title={formatUsdExact(usd)}>
              <span className={styles[tone]}>
                {amount} <small>{word}</small>
              </span>
            </p>
            <p className={styles.says}>
              What cached input saved at the prices of the models, less what writing it to the caches cost:{' '}
              <Tokens tokens={cached} /> of <Tokens tokens={input} /> input tokens ({formatShare(cached, input)}) came
              from a cache. The providers do this by themselves, so that it is no part of the figures of the rules.
            </p>
          </div>
        )
      }}
    </Panel>
  )
}

import { nameClaim } from '../../decisions/wording.ts'
import { describeSaving, formatCount } from '../../format/index.ts'
import { type Column, DecisionState, Duration, Link, Money, Table } from '../../ui/index.ts'
import type { Rule } from './facts.ts'
import styles from './savings.module.css'

const columns: readonly Column<Rule>[] = [
  {
    key: 'rule',
    header: 'Rule',
    cell: ({ decision_id: id, tool_name: tool, type, input_hash: input }) => (
      <>
        <Link to="/w/$workspace_id/decisions/$decision_id" params={{ decision_id: id }} className={styles.rule}>
          {tool}
        </Link>{' '}
        <span className={styles.claim}>
          {nameClaim(type).toLowerCase()}
          {/* A rule about unread results applies to all inputs. */}
          {type === 'reuse_identity' && (input === null ? ', all inputs' : ', one input')}
        </span>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: ({ state }) => <DecisionState state={state} /> },
  { key: 'served', header: 'Served', isNumber: true, cell: ({ served_calls: calls }) => formatCount(calls) },
  { key: 'net', header: 'Net', isNumber: true, cell: ({ net_usd: usd }) => <Net usd={usd} /> },
  { key: 'gross', header: 'Gross', isNumber: true, cell: ({ gross_usd: usd }) => <Money usd={usd} /> },
  { key: 'cache', header: 'Lost cache', isNumber: true, cell: ({ cache_loss_usd: usd }) => <Money usd={usd} /> },
  { key: 'wrong', header: 'Wrong', isNumber: true, cell: ({ wrong_cost_usd: usd }) => <Money usd={usd} /> },
  {
    key: 'held',
    header: 'Held out',
    isNumber: true,
    cell: ({ holdout_calls: calls, holdout_cost_usd: usd }) => (
      <>
        {formatCount(calls)} (<Money usd={usd} />)
      </>
    ),
  },
  { key: 'time', header: 'Waiting saved', isNumber: true, cell: ({ latency_saved_ms: ms }) => <Duration ms={ms} /> },
]

function Net({ usd }: { readonly usd: number }) {
  const { amount, word, tone } = describeSaving(usd)
  return (
    <span className={styles[tone]}>
      {amount} {word}
    </span>
  )
}

export const RuleTable = ({ rules }: { readonly rules: readonly Rule[] }) => (
  <Table label="Rules, largest loss first" columns={columns} rows={rules} rowKey={({ decision_id: id }) => id} />
)

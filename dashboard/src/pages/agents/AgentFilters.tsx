import { useFilterKey } from '../../app/shortcuts/use-filter-key.ts'
import { SelectField, TextField } from '../../ui/index.ts'
import styles from './agents.module.css'
import { type AgentOrder, orders } from './rows.ts'

type Status = 'active' | 'idle'

type Props = {
  readonly text: string
  readonly status: Status | undefined
  readonly order: AgentOrder
  readonly onText: (text: string) => void
  readonly onStatus: (status: Status | undefined) => void
  readonly onOrder: (order: AgentOrder) => void
}

const orderNames: Readonly<Record<AgentOrder, string>> = {
  last_seen: 'last seen first',
  cost_usd: 'highest model cost first',
  cost_change: 'greatest rise in cost first',
  events: 'most events first',
  errors: 'most errors first',
  p95_duration_ms: 'slowest first, by p95',
}

export function AgentFilters({ text, status, order, onText, onStatus, onOrder }: Props) {
  const bar = useFilterKey()
  return (
    <search ref={bar} className={styles.filters}>
      <TextField
        label="Name"
        type="search"
        value={text}
        placeholder="Part of the name"
        onChange={({ target }) => onText(target.value)}
      />
      <SelectField
        label="Status"
        any="any"
        value={status}
        onChange={(value) => onStatus(value === 'active' || value === 'idle' ? value : undefined)}
      >
        <option value="active">active in the last 24 hours</option>
        <option value="idle">idle</option>
      </SelectField>
      <SelectField
        label="Order"
        value={order}
        onChange={(value) => onOrder(orders.find((known) => known === value) ?? 'last_seen')}
      >
        {orders.map((known) => (
          <option key={known} value={known}>
            {orderNames[known]}
          </option>
        ))}
      </SelectField>
    </search>
  )
}

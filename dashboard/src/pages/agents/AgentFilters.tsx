import { type ReactNode, useId } from 'react'
import { TextField } from '../../ui/index.ts'
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
  return (
    <search className={styles.filters}>
      <TextField
        label="Name"
        type="search"
        data-filter
        value={text}
        placeholder="Part of the name"
        onChange={({ target }) => onText(target.value)}
      />
      <Choice
        label="Status"
        value={status ?? ''}
        onChange={(value) => onStatus(value === 'active' || value === 'idle' ? value : undefined)}
      >
        <option value="">any</option>
        <option value="active">active in the last 24 hours</option>
        <option value="idle">idle</option>
      </Choice>
      <Choice
        label="Order"
        value={order}
        onChange={(value) => onOrder(orders.find((known) => known === value) ?? 'last_seen')}
      >
        {orders.map((known) => (
          <option key={known} value={known}>
            {orderNames[known]}
          </option>
        ))}
      </Choice>
    </search>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </div>
  )
}

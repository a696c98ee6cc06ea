import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Decision } from '../../decisions/score.ts'
import { useAgentNames } from '../../decisions/use-names.ts'
import { type Column, Table } from '../../ui/index.ts'
import { settingsQuery } from '../settings/queries.ts'
import { type ConfigRow, listConfig } from './config-rows.ts'
import styles from './decision.module.css'

const columns: readonly Column<ConfigRow>[] = [
  {
    key: 'name',
    header: 'Setting',
    cell: ({ name, meaning }) => (
      <>
        {name}
        <span className={styles.meaning}>{meaning}</span>
      </>
    ),
  },
  {
    key: 'value',
    header: 'Value',
    cell: ({ value, isDefault }) => <span className={isDefault ? styles.faint : styles.set}>{value}</span>,
  },
  {
    key: 'source',
    header: <span className="visually-hidden">Source</span>,
    cell: ({ isDefault }) => (isDefault ? <span className={styles.faint}>default</span> : ''),
  },
]

export function ConfigPanel({ workspaceId, decision }: { readonly workspaceId: string; readonly decision: Decision }) {
  const id = useId()
  const { data: settings } = useQuery({ ...settingsQuery(workspaceId), staleTime: 60_000 })
  const nameAgent = useAgentNames(workspaceId)
  const agentId = decision.config['agent_id']
  const config = typeof agentId === 'string' ? { ...decision.config, agent_id: nameAgent(agentId) } : decision.config
  const rows = listConfig({ type: decision.type, config }, settings ?? null)
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>Settings of the rule</h2>
      </header>
      <Table label="Settings of the rule" columns={columns} rows={rows} rowKey={({ name }) => name} />
    </section>
  )
}

import { Button } from '../../ui/index.ts'
import styles from './findings.module.css'
import type { Status } from './list-search.ts'
import type { Finding } from './queries.ts'

export type StatusButtonsProps = {
  readonly findings: readonly Pick<Finding, 'id' | 'status'>[]
  /** The reason why the user may not change the status; undefined if they may. */
  readonly unavailable: string | undefined
  readonly onChange: (findings: readonly Pick<Finding, 'id' | 'status'>[], to: Status) => void
}

export const statusMoves: Readonly<Record<Status, { readonly label: string; readonly key: string }>> = {
  acknowledged: { label: 'Acknowledge', key: 'a' },
  resolved: { label: 'Resolve', key: 'r' },
  open: { label: 'Open again', key: 'o' },
}

const order = ['acknowledged', 'resolved', 'open'] as const

/** Shows a button for each status that would change at least one of the findings. */
export function StatusButtons({ findings, unavailable, onChange }: StatusButtonsProps) {
  return (
    <div className={styles.buttons}>
      {order
        .filter((to) => findings.some(({ status }) => status !== to))
        .map((to) => {
          const { label, key } = statusMoves[to]
          return (
            <Button
              key={to}
              unavailable={unavailable}
              title={`${label} (${key})`}
              onClick={() => onChange(findings, to)}
            >
              {label} <kbd aria-hidden="true">{key}</kbd>
            </Button>
          )
        })}
    </div>
  )
}

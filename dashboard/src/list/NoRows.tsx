// The explanation of an empty list, with the actions that help.
import { usePageWindow } from '../app/page-window.tsx'
import { useChangeSearch } from '../trace/use-change-search.ts'
import { Button, Empty } from '../ui/index.ts'
import { clearedOf } from './Filters.tsx'
import styles from './filters.module.css'
import { LastSeen } from './LastSeen.tsx'
import { NothingStored } from './NothingStored.tsx'
import { useNewest } from './use-newest.ts'

const quarterMs = 90 * 86_400_000

type Props = {
  readonly workspaceId: string
  /** The noun for a row, in the singular: "trace". */
  readonly noun: string
  /** The parameters that "Clear filters" removes. */
  readonly filterNames: readonly string[]
  readonly isFiltered: boolean
}

export const NoRows = ({ workspaceId, ...props }: Props) => (
  <LastSeen workspaceId={workspaceId}>{(newest) => <Reason {...props} newest={newest} />}</LastSeen>
)

type ReasonProps = Omit<Props, 'workspaceId'> & { readonly newest: string | null }

function Reason({ newest, noun, filterNames, isFiltered }: ReasonProps) {
  const { window, setWindow } = usePageWindow()
  const { describe, show } = useNewest()
  const change = useChangeSearch({ isStep: true })
  if (newest === null) return <NothingStored />
  const newestMs = Date.parse(newest)
  // With filters, a window before the newest data may contain rows that the filters exclude.
  const isPast = window.preset === null && newestMs >= Date.parse(window.to) && !isFiltered
  if (newestMs < Date.parse(window.from) || isPast) {
    return (
      <Empty action={<Button onClick={() => show(newestMs)}>Show the newest</Button>}>
        No {noun} starts in this window. {describe(newestMs)}
      </Empty>
    )
  }
  if (isFiltered) {
    const isLong = Date.parse(window.to) - Date.parse(window.from) >= quarterMs
    return (
      <Empty
        action={
          <span className={styles.actions}>
            <Button onClick={() => change(clearedOf(filterNames))}>Clear filters</Button>
            {isLong ? null : <Button onClick={() => setWindow('90d')}>Search the last 90 days</Button>}
          </span>
        }
      >
        No {noun} of this window matches the filters.
      </Empty>
    )
  }
  return (
    <Empty action={<Button onClick={() => setWindow('7d')}>Show the last 7 days</Button>}>
      No {noun} starts in this window.
    </Empty>
  )
}

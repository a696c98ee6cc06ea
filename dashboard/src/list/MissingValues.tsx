import { Button } from '../ui/index.ts'
import styles from './filters.module.css'

type Query = { readonly data: unknown; readonly error: unknown; refetch(): Promise<unknown> }

/**
 * Says which filters lack their values because the query for these failed, with a button that retries. A menu that offers only "any" would
 * look as if there were nothing to choose.
 */
export function MissingValues({ queries }: { readonly queries: Readonly<Record<string, Query>> }) {
  const failed = Object.entries(queries).filter(([, { data, error }]) => error !== null && data === undefined)
  if (failed.length === 0) return null
  const labels = failed.map(([label]) => `“${label}”`).join(', ')
  return (
    <p role="status" className={styles.missing}>
      The values of the {failed.length === 1 ? 'filter' : 'filters'} {labels} could not be loaded.{' '}
      <Button variant="quiet" onClick={() => void Promise.all(failed.map(([, query]) => query.refetch()))}>
        Retry
      </Button>
    </p>
  )
}

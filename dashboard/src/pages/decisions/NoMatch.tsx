// The empty state of the page: no rule matches the filters, or, without filters, there is no rule at all.
import { NoDecisions } from '../../decisions/NoDecisions.tsx'
import type { DecisionFilters } from '../../decisions/queries.ts'
import { Button, Empty } from '../../ui/index.ts'

type Props = { readonly filters: DecisionFilters; readonly onClear: () => void }

export function NoMatch({ filters, onClear }: Props) {
  if (Object.values(filters).every((value) => value === undefined)) return <NoDecisions />
  return <Empty action={<Button onClick={onClear}>Clear the filters</Button>}>No decision matches the filters.</Empty>
}

// The empty state of the page: no rule matches the filters, or, without filters, there is no rule at all.
import type { DecisionFilters } from '../../decisions/queries.ts'
import { Button, Empty } from '../../ui/index.ts'
import { NothingProposed } from './NothingProposed.tsx'

type Props = { readonly workspaceId: string; readonly filters: DecisionFilters; readonly onClear: () => void }

export function NoMatch({ workspaceId, filters, onClear }: Props) {
  if (Object.values(filters).every((value) => value === undefined)) return <NothingProposed workspaceId={workspaceId} />
  return <Empty action={<Button onClick={onClear}>Clear the filters</Button>}>No decision matches the filters.</Empty>
}

// The note of an empty window: it says how old the newest data is, and offers to show it.
import { useNewest } from '../../list/use-newest.ts'
import { Button } from '../../ui/index.ts'

export function QuietNote({ newest }: { readonly newest: string | undefined }) {
  const { describe, show } = useNewest()
  if (newest === undefined) return null
  const newestMs = Date.parse(newest)
  return (
    <p role="status">
      Nothing was received in this window. {describe(newestMs)} <Button onClick={() => show(newestMs)}>Show it</Button>
    </p>
  )
}

// The note of an empty window: it says how old the newest data is, and offers to show it.
import { usePageWindow } from '../../app/page-window.tsx'
import { formatAge } from '../../format/index.ts'
import { Button } from '../../ui/index.ts'

const aroundMs = 12 * 3_600_000

export function QuietNote({ newest }: { readonly newest: string | undefined }) {
  const { nowMs, setWindow } = usePageWindow()
  if (newest === undefined) return null
  const lastMs = Date.parse(newest)
  const show = (): void =>
    setWindow({ from: new Date(lastMs - aroundMs).toISOString(), to: new Date(lastMs + 1).toISOString() })
  return (
    <p role="status">
      Nothing was received in this window. The newest data is {formatAge(newest, nowMs)} old.{' '}
      <Button onClick={show}>Show it</Button>
    </p>
  )
}

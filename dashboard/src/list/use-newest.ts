import { usePageWindow } from '../app/page-window.tsx'
import { formatAge } from '../format/index.ts'

const hourMs = 3_600_000
// A window does not include its end.
const afterMs = 1_000

/** For the pages that explain an empty window: how old the newest data is, and a function that shows the hour before it. */
export function useNewest(): {
  readonly describe: (newestMs: number) => string
  readonly show: (newestMs: number) => void
} {
  const { setWindow } = usePageWindow()
  return {
    describe: (newestMs) => `The newest data is ${formatAge(newestMs, Date.now())} old.`,
    show: (newestMs) =>
      setWindow({
        from: new Date(newestMs - hourMs).toISOString(),
        to: new Date(newestMs + afterMs).toISOString(),
      }),
  }
}

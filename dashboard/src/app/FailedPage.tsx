import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiFault } from '../api/fault.ts'
import { ErrorNote, NotFound, Page } from '../ui/index.ts'

/** Shown instead of a page that could not be rendered at all; panels show their own failures. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiFault && error.status === 404) return <NotFound />
  const retry = (): void => {
    // Mostly the code of the page could not be loaded: after a release it has another address, which only a new document contains.
    if (!(error instanceof ApiFault)) return location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <Page title="This page could not be loaded">
      <ErrorNote error={error} onRetry={retry} />
    </Page>
  )
}

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiFault } from '../api/fault.ts'
import { ErrorNote, NotFound, Page } from '../ui/index.ts'

/** A page that could not be made at all; panels show their own failures. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiFault && error.status === 404) return <NotFound />
  const retry = (): void => {
    // The code of a page that did not come, above all: after a release it has another address, which only the document knows.
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

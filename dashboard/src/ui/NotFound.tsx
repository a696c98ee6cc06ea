import { Link } from './Link.tsx'
import { Page } from './Page.tsx'

/** Shown for both missing and foreign objects, which the service does not distinguish. */
export function NotFound() {
  return (
    <Page title="Not found">
      <p>
        This page does not exist, or you have no access. Check the address, or go to <Link to="/">your workspace</Link>.
      </p>
    </Page>
  )
}

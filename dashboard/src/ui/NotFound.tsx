import { Link } from './Link.tsx'
import { Page } from './Page.tsx'

/** Missing and foreign alike: the service does not tell which. */
export function NotFound() {
  return (
    <Page title="Not found">
      <p>
        There is nothing here, or you may not see it. Check the address, or go to <Link to="/">your workspace</Link>.
      </p>
    </Page>
  )
}

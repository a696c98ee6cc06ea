import type { ReactNode } from 'react'
import { Empty, Link } from '../ui/index.ts'

/** What somebody may not see or do: why, and the way to those who may. `orgId`: null while it is not known. */
export function NotAllowed({
  reason,
  orgId,
  children,
}: {
  readonly reason: string
  readonly orgId: string | null
  readonly children: ReactNode
}) {
  return (
    <Empty
      action={
        orgId !== null && (
          <Link params={{ org_id: orgId }} to="/o/$org_id/settings/members">
            See who can
          </Link>
        )
      }
    >
      {children} {reason}.
    </Empty>
  )
}

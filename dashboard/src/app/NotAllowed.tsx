import type { ReactNode } from 'react'
import { Empty, Link } from '../ui/index.ts'

/** Explains why the user may not see or do something, with a link to the members who may. `orgId` is null until it is loaded. */
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

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { countOf } from '../format/index.ts'
import { readPeriod } from '../pages/usage/period.ts'
import { rejectionsQuery } from '../pages/usage/queries.ts'
import { Empty, Link } from '../ui/index.ts'

const nothing = 'No span has been stored in this workspace yet.'

/**
 * The empty state of a page without any stored span: it leads to the first trace, or to why the spans that came were rejected. `children`:
 * what the page will show.
 */
export function NothingStored({ children }: { readonly children?: ReactNode }) {
  const { workspace_id: workspaceId = '' } = useParams({ strict: false })
  const [openedAtMs] = useState(() => Date.now())
  const { data: rejections, isPending } = useQuery(rejectionsQuery(workspaceId, readPeriod(openedAtMs)))
  if (isPending) return <div aria-busy="true" />
  const rejected = rejections?.reduce((sum, { count }) => sum + count, 0) ?? 0
  if (rejected === 0)
    return (
      <Empty action={<Link to="/w/$workspace_id/start">Send the first trace</Link>}>
        {nothing} {children}
      </Empty>
    )
  return (
    <Empty
      action={
        <Link hash="rejections" to="/w/$workspace_id/usage">
          See why
        </Link>
      }
    >
      {nothing} {countOf(rejected, 'span')} {rejected === 1 ? 'was' : 'were'} rejected this month.
    </Empty>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMatches, useSearch } from '@tanstack/react-router'
import { Link, type LinkProps } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { workspacesQuery } from '../queries.ts'
import styles from './breadcrumb.module.css'

export type PageFacts = {
  /** Of the page in the breadcrumb. */
  readonly crumb: string
  /** The list that the page belongs to. */
  readonly parent?: {
    readonly crumb: string
    /** A path of a route. Its own type would be that of the tree of routes, of which this is a part. */
    readonly to: string
    /** What of the page's search decides what the list shows. Without it, the window and the agent alone. */
    readonly pickSearch?: (search: Search) => Search
  }
  /** Whether the page shows a window of time. */
  readonly hasWindow: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the frame has to know of a page. */
    readonly page?: PageFacts
  }
}

const unknown: PageFacts = { crumb: '', hasWindow: false }

export const usePageFacts = (): PageFacts =>
  useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.page)?.staticData.page ?? unknown })

export function Breadcrumb({ workspaceId }: { readonly workspaceId: string | null }) {
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const { crumb, parent } = usePageFacts()
  const isOfWorkspace = useMatches({ select: (matches) => matches.some(({ params }) => 'workspace_id' in params) })
  const search: Search = useSearch({ strict: false })
  const workspace = workspaces.find(({ id }) => id === workspaceId)
  return (
    <nav aria-label="Breadcrumb" className={styles.nav}>
      <ol className={styles.list}>
        {workspaceId !== null && isOfWorkspace && (
          <li className={styles.workspace}>
            <Link to="/w/$workspace_id" params={{ workspace_id: workspaceId }}>
              {workspace?.name ?? '…'}
            </Link>
          </li>
        )}
        {parent !== undefined && (
          <li>
            <Link to={parent.to as LinkProps['to']} search={parent.pickSearch?.(search)}>
              {parent.crumb}
            </Link>
          </li>
        )}
        {crumb !== '' && <li aria-current="page">{crumb}</li>}
      </ol>
    </nav>
  )
}

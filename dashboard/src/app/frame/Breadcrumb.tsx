import { useQuery } from '@tanstack/react-query'
import { useMatches, useSearch } from '@tanstack/react-router'
import { Link, type LinkProps } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { workspacesQuery } from '../queries.ts'
import styles from './breadcrumb.module.css'

export type PageFacts = {
  /** The name of the page in the breadcrumb. */
  readonly crumb: string
  /** The list that the page belongs to. */
  readonly parent?: {
    readonly crumb: string
    /** The path of a route. It is a plain string because the type of paths is derived from the route tree, which contains this type. */
    readonly to: string
    /** Picks the search parameters of the page that the list also uses. Without it, the link keeps only the window and the agent. */
    readonly pickSearch?: (search: Search) => Search
  }
  /** Whether the page shows a time window. */
  readonly hasWindow: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the frame needs to know about a page. */
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
            <Link to="/w/$workspace_id" params={{ workspace_id: workspaceId }} isExact>
              {workspace?.name ?? '…'}
            </Link>
          </li>
        )}
        {parent !== undefined && (
          <li>
            <Link to={parent.to as LinkProps['to']} search={parent.pickSearch?.(search)} isExact>
              {parent.crumb}
            </Link>
          </li>
        )}
        {crumb !== '' && <li aria-current="page">{crumb}</li>}
      </ol>
    </nav>
  )
}

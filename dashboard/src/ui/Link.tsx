import { type RegisteredRouter, Link as RouterLink } from '@tanstack/react-router'
import type { AriaAttributes, ReactNode } from 'react'
import { carrySearch, type Search } from '../window/index.ts'

export type LinkProps = AriaAttributes & {
  readonly to: keyof RegisteredRouter['routesByPath']
  /** Those of the present page hold where they are not given: the workspace, above all. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Added to the window and the agent, which every link inside of a workspace takes along. Null takes one away. */
  readonly search?: Readonly<Record<string, string | null>> | undefined
  readonly hash?: string | undefined
  readonly className?: string | undefined
  readonly title?: string | undefined
  /** Marked as the current page on its own page alone, and not on those below. */
  readonly isExact?: boolean
  /** Of several links to one page, the one whose search is that of the page is the current one. */
  readonly isView?: boolean
  readonly children: ReactNode
}

/** A link to a page of the dashboard. */
export function Link({ to, params, search, hash, isExact = false, isView = false, children, ...rest }: LinkProps) {
  const target = {
    to,
    params: (before: Record<string, string>) => ({ ...before, ...params }),
    ...(hash === undefined ? {} : { hash }),
    search: (before: Search) => (to.startsWith('/w/') ? mergeSearch(carrySearch(before), search) : (search ?? {})),
  }
  return (
    // The paths of the router are a union that this component has narrowed already.
    <RouterLink
      {...rest}
      {...(target as { to: string })}
      activeOptions={{ exact: isExact || isView, includeSearch: isView }}
    >
      {children}
    </RouterLink>
  )
}

const mergeSearch = (before: Search, changes: LinkProps['search']): Search =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )

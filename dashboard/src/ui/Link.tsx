import { type RegisteredRouter, Link as RouterLink } from '@tanstack/react-router'
import type { AriaAttributes, ReactNode } from 'react'
import { carrySearch, type Search } from '../window/index.ts'

export type LinkProps = AriaAttributes & {
  readonly to: keyof RegisteredRouter['routesByPath']
  /** Path parameters. Those that are not given, above all the workspace, are those of the current page. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Search parameters, added to the window and the agent, which every link inside a workspace keeps. Null removes a parameter. */
  readonly search?: Readonly<Record<string, string | null>> | undefined
  readonly hash?: string | undefined
  readonly className?: string | undefined
  readonly title?: string | undefined
  /** The link is marked as current only on its own page, and not on pages below it. */
  readonly isExact?: boolean
  /** One of several links to the same page: it is marked as current only if its search parameters are also those of the page. */
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
    // The cast is safe, since `LinkProps` allows only paths of the router.
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

// Moves the focus after a change of page: to the heading, so that a screen reader announces the new page, or on the way back to the link
// that the user had followed.
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

type LeftLink = {
  readonly href: string
  /** Its position among the links of the page to the same place. */
  readonly position: number
}

/** The most entries of the browser history whose link is remembered. */
const mostEntries = 100

export function usePageFocus(): void {
  const router = useRouter()
  useEffect(() => {
    // The key of an entry changes with every change of its address, so only Back and Forward lead to a known key.
    const left = new Map<string, LeftLink>()
    const unsubscribes = [
      router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
        const key = fromLocation?.state.__TSR_key
        const link = document.activeElement?.closest<HTMLAnchorElement>('a[href]') ?? null
        if (key === undefined) return
        left.delete(key)
        if (link !== null) left.set(key, { href: link.href, position: listLinks(link.href).indexOf(link) })
        const [oldest] = left.keys()
        if (left.size > mostEntries && oldest !== undefined) left.delete(oldest)
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        // A screen reader reads the first page from its top, like any document.
        if (fromLocation === undefined || !pathChanged) return
        const link = left.get(toLocation.state.__TSR_key ?? '')
        if (link !== undefined && focusLink(link)) return
        focusHeading()
        if (link !== undefined) focusLater(link)
      }),
    ]
    return () => unsubscribes.forEach((unsubscribe) => unsubscribe())
  }, [router])
}

const listLinks = (href: string): HTMLAnchorElement[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter((link) => link.href === href)

/** Returns whether the page has the link. The scroll position is left to the router, which restores it. */
function focusLink({ href, position }: LeftLink): boolean {
  const links = listLinks(href)
  const link = links[position] ?? links[0]
  link?.focus({ preventScroll: true })
  return link !== undefined
}

/** Focuses the link two frames later, unless the focus has moved: a long table draws the rows of its restored scroll position by then. */
function focusLater(link: LeftLink): void {
  const { activeElement } = document
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === activeElement) focusLink(link)
    }),
  )
}

/** A form that is all of its page, such as that for signing in, has focused its first field. */
function focusHeading(): void {
  if (document.activeElement?.closest('main form') != null) return
  document.querySelector('h1')?.focus({ preventScroll: true })
}

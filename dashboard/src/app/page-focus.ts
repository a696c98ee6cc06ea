// Moves the focus to the heading after a change of page, so that a screen reader announces the new page.
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

export function usePageFocus(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // A screen reader reads the first page from its top, like any document.
        if (fromLocation !== undefined && pathChanged) focusHeading()
      }),
    [router],
  )
}

/** A form that is all of its page, such as that for signing in, has focused its first field. */
function focusHeading(): void {
  if (document.activeElement?.closest('main form') != null) return
  document.querySelector('h1')?.focus({ preventScroll: true })
}

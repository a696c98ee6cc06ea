// After a change of page the focus is on its heading, so that a screen reader says where one is.
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

export function usePageFocus(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The first page is read from its top, as any document.
        if (fromLocation !== undefined && pathChanged) focusHeading()
      }),
    [router],
  )
}

function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true })
}

// Changes parameters of the URL in place; null takes one away. The fragment stays.
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { changeSearch, parseSearch, type Search, stringifySearch } from '../window/index.ts'

type Changes = Readonly<Record<string, string | null>>
/** What follows from the address is a function of it: the last render may show an address that was changed since. */
type Change = (changes: Changes | ((search: Search) => Changes)) => void

/** `isStep`: the change is one that Back takes back. */
export function useChangeSearch({ isStep }: { readonly isStep: boolean }): Change {
  const navigate = useNavigate()
  return useCallback(
    (changes) =>
      void navigate({
        to: '.',
        search: (before) => {
          const search = parseSearch(stringifySearch(before))
          return changeSearch(search, typeof changes === 'function' ? changes(search) : changes)
        },
        hash: true,
        replace: !isStep,
        resetScroll: false,
      }),
    [navigate, isStep],
  )
}

// Changes search parameters of the URL without leaving the page. Null removes a parameter. The fragment stays.
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { changeSearch, parseSearch, type Search, stringifySearch } from '../window/index.ts'

type Changes = Readonly<Record<string, string | null>>
/** Changes that depend on the current parameters are given as a function, since the parameters of the last render may be out of date. */
type Change = (changes: Changes | ((search: Search) => Changes)) => void

/** `isStep`: the change adds an entry to the browser history, so that Back reverts it. */
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

// Changes parameters of the URL in place; null takes one away. The fragment stays.
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { changeSearch, parseSearch, stringifySearch } from '../window/index.ts'

type Change = (changes: Readonly<Record<string, string | null>>) => void

/** `isStep`: the change is one that Back takes back. */
export function useChangeSearch({ isStep }: { readonly isStep: boolean }): Change {
  const navigate = useNavigate()
  return useCallback(
    (changes) =>
      void navigate({
        to: '.',
        search: (before) => changeSearch(parseSearch(stringifySearch(before)), changes),
        hash: true,
        replace: !isStep,
        resetScroll: false,
      }),
    [navigate, isStep],
  )
}

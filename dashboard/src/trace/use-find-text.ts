// The text that is searched for in a trace. It is often private, so it is kept in the fragment of the URL, which no server receives.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTypedText } from '../app/use-typed-text.ts'

export function useFindText(): [wanted: string, setWanted: (wanted: string) => void] {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  return useTypedText(
    readFragment(hash),
    (wanted) => void navigate({ to: '.', search: true, hash: writeFragment(wanted), replace: true }),
  )
}

const name = 'find'

const readFragment = (hash: string): string => new URLSearchParams(hash).get(name) ?? ''

const writeFragment = (wanted: string): string =>
  wanted === '' ? '' : new URLSearchParams({ [name]: wanted }).toString()

// What is looked for in a trace. It is often private, so that it stands in the fragment of the URL, which no server sees.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const typingMs = 300

export function useFindText(): [wanted: string, setWanted: (wanted: string) => void] {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const [wanted, setWanted] = useState(() => readFragment(hash))
  useEffect(() => setWanted(readFragment(hash)), [hash])
  useEffect(() => {
    if (wanted === readFragment(hash)) return
    const timer = setTimeout(
      () => void navigate({ to: '.', search: true, hash: writeFragment(wanted), replace: true }),
      typingMs,
    )
    return () => clearTimeout(timer)
    // Only typing changes the fragment; the fragment changing by itself is read above.
  }, [wanted])
  return [wanted, setWanted]
}

const name = 'find'

const readFragment = (hash: string): string => new URLSearchParams(hash).get(name) ?? ''

const writeFragment = (wanted: string): string =>
  wanted === '' ? '' : new URLSearchParams({ [name]: wanted }).toString()

// The keyboard shortcuts of the list. Status keys act on the selection, else on the focused row, else on the finding in the panel.
import type { RefObject } from 'react'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import type { Status } from './list-search.ts'
import type { Finding } from './queries.ts'
import { statusMoves } from './StatusButtons.tsx'

type Options = {
  readonly table: RefObject<HTMLElement | null>
  readonly rows: readonly Finding[]
  readonly shownId: string | null
  readonly selected: readonly Finding[]
  readonly show: (id: string | null) => void
  readonly toggle: (id: string) => void
  readonly clear: () => void
  readonly move: (findings: readonly Finding[], to: Status) => void
  readonly undo: () => void
}

export function useRowKeys({ table, rows, shownId, selected, show, toggle, clear, move, undo }: Options): void {
  const focusedAt = (): number => listLinks(table.current).indexOf(document.activeElement as HTMLElement)
  const shownAt = rows.findIndex(({ id }) => id === shownId)
  const at = (): number => (focusedAt() === -1 ? shownAt : focusedAt())
  const step = (by: -1 | 1): void => {
    const next = Math.min(rows.length - 1, Math.max(0, at() + by))
    if (shownId !== null) show(rows[next]?.id ?? null)
    listLinks(table.current)[next]?.focus()
  }
  const act = (to: Status): void => {
    const one = rows[at()]
    move(selected.length > 0 ? selected : one === undefined ? [] : [one], to)
  }
  useShortcut('j', 'Next finding', () => step(1))
  useShortcut('k', 'Previous finding', () => step(-1))
  useShortcut('x', 'Select the finding', () => {
    const id = rows[at()]?.id
    if (id !== undefined) toggle(id)
  })
  useShortcut(' ', 'Show the finding', () => {
    const id = rows[Math.max(0, at())]?.id ?? null
    show(id === shownId ? null : id)
  })
  useShortcut('Escape', 'Close the finding, then clear the selection', () => {
    if (shownId === null) return clear()
    show(null)
    listLinks(table.current)[shownAt]?.focus()
  })
  useShortcut(statusMoves.acknowledged.key, statusMoves.acknowledged.label, () => act('acknowledged'))
  useShortcut(statusMoves.resolved.key, statusMoves.resolved.label, () => act('resolved'))
  useShortcut(statusMoves.open.key, statusMoves.open.label, () => act('open'))
  useShortcut('z', 'Undo the last change', undo)
}

/** Returns the links of the rows, in order. */
export const listLinks = (table: HTMLElement | null): HTMLElement[] => [
  ...(table?.querySelectorAll<HTMLElement>('tbody th a') ?? []),
]

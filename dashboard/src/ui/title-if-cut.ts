import type { PointerEvent } from 'react'

/** For `onPointerEnter` of a cell: a text that is cut off is shown in full on hover. */
export function titleIfCut({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : ''
}

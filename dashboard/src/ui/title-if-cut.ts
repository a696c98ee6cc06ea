import type { PointerEvent } from 'react'

// The width of an inline element is 0: the cell cuts its text.
const isCut = ({ clientWidth, scrollWidth }: Element): boolean => clientWidth > 0 && scrollWidth > clientWidth

/** For `onPointerEnter` of a cell: a text that the cell or its link cuts off is shown in full on hover. */
export function titleIfCut({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  cell.title = [cell, ...cell.children].some(isCut) ? cell.innerText : ''
}

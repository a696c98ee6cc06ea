// Text whose web addresses are links.
import { splitLinks } from './text.ts'

/** Renders text with each web address as a link. The text of a link is its address. */
export function Linked({ text }: { readonly text: string }) {
  return splitLinks(text).map(({ text: piece, href }, at) =>
    href === null ? (
      piece
    ) : (
      <a href={href} key={`${at}`} rel="noreferrer" target="_blank">
        {piece}
      </a>
    ),
  )
}

// Text with its web addresses as links.
import { splitLinks } from './text.ts'

/** Web addresses as links that show where they lead. */
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

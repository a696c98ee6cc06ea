// The entries that the palette offers for a text.

export type Entry = {
  /** Unique among all entries. */
  readonly id: string
  readonly label: string
  /** The kind of place: "Page". */
  readonly group: string
  readonly path: string
}

export type Found = { readonly kind: string; readonly id: string; readonly trace_id?: string | undefined }

/** The longest list that is useful to read. */
const mostEntries = 30

/** Returns at most `mostEntries` entries that contain every word of the text; those whose label begins with the text are first. */
export function findEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const matches = entries.filter(({ label, group }) => {
    const all = `${label} ${group}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const begins = ({ label }: Entry): number => Number(!label.toLowerCase().startsWith(wanted))
  return matches.toSorted((a, b) => begins(a) - begins(b)).slice(0, mostEntries)
}

/** Whether a text has the format of an id of the service. An id of a session can be any text. */
export const isIdLike = (text: string): boolean =>
  /^[0-9a-f]{32}(\.[0-9a-f]{16}(\.\d{1,16})?)?$|^[0-9a-f]{16}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Returns the path, below the workspace, of the page for the object that was found. */
export function pathOf({ kind, id, trace_id: traceId }: Found): string {
  const name = encodeURIComponent(id)
  switch (kind) {
    case 'trace':
      return `/traces/${name}`
    case 'span':
      return `/traces/${encodeURIComponent(traceId ?? '')}?span=${name}`
    case 'finding':
      return `/findings?finding=${name}`
    case 'key':
      return '/keys'
    default:
      return `/${kind}s/${name}`
  }
}

// The prices of workspaces in decode threads: the main thread shares their bytes, and each thread parses them once a revision.
import { LRUCache } from 'lru-cache'
import type { PriceBook } from './price-book.ts'
import { openWorkspaceBook, type WorkspacePrice, type WorkspacePriceList } from './workspace-prices.ts'

/** A price list for a thread. The bytes are shared, so a request carries a reference and not a copy. */
export type SharedPrices = { readonly revision: string; readonly bytes: SharedArrayBuffer }

type Known = { readonly revision: string; readonly rows: number; readonly book: PriceBook }

const maxWorkspaces = 500
/** Limit on the rows of all cached lists. A row takes some 500 bytes, and 3 KB with the longest names. */
const maxRows = 20_000

export function sharePrices({ revision, prices }: WorkspacePriceList): SharedPrices {
  const text = new TextEncoder().encode(JSON.stringify(prices))
  const bytes = new SharedArrayBuffer(text.length)
  new Uint8Array(bytes).set(text)
  return { revision, bytes }
}

const readShared = ({ revision, bytes }: SharedPrices): WorkspacePriceList => ({
  revision,
  prices: JSON.parse(Buffer.from(bytes).toString()) as WorkspacePrice[],
})

/** Returns a function that returns the price book of a workspace: one of its own prices, cached by revision, or `table` without them. */
export function openPricesByWorkspace(
  table: PriceBook,
): (workspaceId: string, shared: SharedPrices | null) => PriceBook {
  const books = new LRUCache<string, Known>({
    max: maxWorkspaces,
    maxSize: maxRows,
    sizeCalculation: ({ rows }) => Math.max(1, rows),
  })
  return (workspaceId, shared) => {
    if (shared === null) {
      books.delete(workspaceId)
      return table
    }
    const known = books.get(workspaceId)
    if (known?.revision === shared.revision) return known.book
    const list = readShared(shared)
    const book = openWorkspaceBook(table, list)
    books.set(workspaceId, { revision: list.revision, rows: list.prices.length, book })
    return book
  }
}

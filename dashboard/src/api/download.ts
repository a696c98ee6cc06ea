// Reads a file from the service and hands it to the browser to store.
import { readToken } from './client.ts'
import { makeNetworkFault, readFault } from './fault.ts'

type Options = { readonly signal: AbortSignal; readonly onBytes: (receivedBytes: number) => void }

/** Reads a whole answer, for as long as it takes. Throws an ApiFault if it was refused, or did not arrive to its end. */
export async function download(path: string, { signal, onBytes }: Options): Promise<Blob> {
  const token = await readToken()
  const response = await reach(signal, async () =>
    fetch(path, { headers: token === null ? {} : { authorization: `Bearer ${token}` }, signal }),
  )
  if (!response.ok) throw await readFault(response)
  const reader = (response.body ?? new Blob().stream()).getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let receivedBytes = 0
  for (;;) {
    const { done, value } = await reach(signal, async () => await reader.read())
    if (done) return new Blob(chunks)
    chunks.push(value)
    receivedBytes += value.byteLength
    onBytes(receivedBytes)
  }
}

async function reach<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw signal.aborted ? error : makeNetworkFault(error)
  }
}

/** Some browsers read the content only after the click has been handled. */
const readingMs = 60_000

/** Stores a file as if a link to it had been followed. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), readingMs)
}

import { useEffect, useState } from 'react'

const shownMs = 1_500

/**
 * Returns what the last attempt to copy led to, shown for a moment, and the function that copies a text. Where the browser does not allow it,
 * as over plain HTTP, that function calls `instead`, which returns what to say.
 */
export function useCopy(): readonly [
  done: string | null,
  copy: (text: string, instead: () => string | null) => Promise<void>,
] {
  const [done, setDone] = useState<string | null>(null)
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(() => setDone(null), shownMs)
    return () => clearTimeout(timer)
  }, [done])
  return [done, async (text, instead) => setDone((await writeClipboard(text)) ? 'Copied' : instead())]
}

async function writeClipboard(text: string): Promise<boolean> {
  if (!isSecureContext) return false
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The user or the browser denied it.
    return false
  }
}

// Everything that the scripts of a page can read: a deleted secret must not be found in it.
import type { Page, Response } from 'playwright-core'

/** Returns the page, its address and history, both storages, readable cookies and the names of databases, as one text. */
export async function readStores(page: Page): Promise<string> {
  return await page.evaluate<string>(`(async () => JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input, textarea')].map((field) => field.value),
    location.href,
    history.state,
    document.cookie,
    { ...localStorage },
    { ...sessionStorage },
    await indexedDB.databases(),
    await caches.keys(),
  ]))()`)
}

/** Records the bodies of the service's answers from now on, with their paths. */
export function keepAnswers(page: Page): () => Promise<string[]> {
  const answers: Promise<string>[] = []
  const read = async (response: Response): Promise<string> => {
    const { pathname } = new URL(response.url())
    // A redirect has no body, and that of a page that was left is gone.
    const body = await response.text().catch(() => '')
    return `${pathname} ${body}`
  }
  page.on('response', (response) => answers.push(read(response)))
  return async () => await Promise.all(answers)
}

import './tokens.css'
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { hasSessionEnded, isSignedOut, onSessionChange } from '../api/client.ts'
import { meQuery, metaQuery } from './queries.ts'
import { makeQueryClient } from './query-client.ts'
import { isAsked, setAsked } from './resume/asked.ts'
import { holdsTypedText, watchTyping } from './resume/typed-text.ts'
import { makeRouter } from './router.ts'
import { allowEmptyMarkup } from './trusted-types.ts'
import { ZoneProvider } from './ZoneProvider.tsx'

allowEmptyMarkup()
const queries = makeQueryClient()
const router = makeRouter(queries)
onSessionChange(() => void (isSignedOut() ? leave() : enter()))
watchTyping()

/** Leaves the pages of the user before it removes their data: a page that is still shown would request the data again. */
async function leave(): Promise<void> {
  setAsked(hasSessionEnded() && holdsTypedText())
  if (isAsked()) return
  await router.invalidate()
  if (!isSignedOut()) return
  // The sign-in page waits for the `meta` query, so it is kept: a removed query never notifies its observers.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== metaQuery.queryKey[0] })
  queries.getMutationCache().clear()
}

/** Clears all data, so that a user never sees data of the previous one. */
async function enter(): Promise<void> {
  if (isAsked()) return await resume()
  queries.clear()
  await router.invalidate()
}

/** Keeps the page if the same user has signed in again. For any other user, the dashboard is loaded anew. */
async function resume(): Promise<void> {
  const before = queries.getQueryData(meQuery.queryKey)?.user.id
  const now = await queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => null)
  if (now === null || now.user.id !== before) return location.replace('/')
  setAsked(false)
  // Requests that were sent without a session were refused.
  await queries.invalidateQueries()
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <I18nProvider locale="en-US">
        <ZoneProvider>
          <RouterProvider router={router} />
        </ZoneProvider>
      </I18nProvider>
    </QueryClientProvider>
  </StrictMode>,
)

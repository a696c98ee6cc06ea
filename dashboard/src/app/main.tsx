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
import { ZoneProvider } from './ZoneProvider.tsx'

const queries = makeQueryClient()
const router = makeRouter(queries)
onSessionChange(() => void (isSignedOut() ? leave() : enter()))
watchTyping()

/** The pages of the person go before their data does: what is still shown would ask for it again. */
async function leave(): Promise<void> {
  setAsked(hasSessionEnded() && holdsTypedText())
  if (isAsked()) return
  await router.invalidate()
  if (!isSignedOut()) return
  // The sign-in page waits for what the service says of itself: a query that is removed never answers whoever waits for it.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== metaQuery.queryKey[0] })
  queries.getMutationCache().clear()
}

/** Nothing of the person before may be seen by the next one. */
async function enter(): Promise<void> {
  if (isAsked()) return await resume()
  queries.clear()
  await router.invalidate()
}

/** The page goes on for the person who filled in its form. For anybody else, all begins anew. */
async function resume(): Promise<void> {
  const before = queries.getQueryData(meQuery.queryKey)?.user.id
  const now = await queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => null)
  if (now === null || now.user.id !== before) return location.replace('/')
  setAsked(false)
  // What was asked for meanwhile was refused.
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

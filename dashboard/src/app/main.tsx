import './tokens.css'
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { isSignedOut, onSessionChange } from '../api/client.ts'
import { metaQuery } from './queries.ts'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.ts'
import { ZoneProvider } from './ZoneProvider.tsx'

const queries = makeQueryClient()
const router = makeRouter(queries)
onSessionChange(() => void (isSignedOut() ? leave() : enter()))

/** The pages of the person go before their data does: what is still shown would ask for it again. */
async function leave(): Promise<void> {
  await router.invalidate()
  if (!isSignedOut()) return
  // The sign-in page waits for what the service says of itself: a query that is removed never answers whoever waits for it.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== metaQuery.queryKey[0] })
  queries.getMutationCache().clear()
}

/** Nothing of the person before may be seen by the next one. */
async function enter(): Promise<void> {
  queries.clear()
  await router.invalidate()
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

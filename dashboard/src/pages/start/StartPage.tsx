import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../ui/index.ts'
import { FirstSpan } from './FirstSpan.tsx'
import { MintKey } from './MintKey.tsx'
import { NextSteps } from './NextSteps.tsx'
import { Snippets } from './Snippets.tsx'
import styles from './start.module.css'

const route = getRouteApi('/w/$workspace_id')

/** The page that leads a new workspace to its first trace. The key exists only in the state of this page, and is discarded with it. */
export function StartPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const [key, setKey] = useState<string | null>(null)
  return (
    <Page title="Send your first trace" tabTitle="Get started">
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h2>1. Create an API key</h2>
          <MintKey workspaceId={workspaceId} apiKey={key} onMinted={setKey} />
        </li>
        <li className={styles.step}>
          <h2>2. Send a trace</h2>
          <Snippets apiKey={key} />
        </li>
        <li className={styles.step}>
          <h2>3. See it arrive</h2>
          <FirstSpan workspaceId={workspaceId} />
        </li>
      </ol>
      <NextSteps workspaceId={workspaceId} />
    </Page>
  )
}

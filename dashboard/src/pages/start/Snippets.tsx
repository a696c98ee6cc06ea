import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { CopyLine } from '../../ui/index.ts'
import { keyPlaceholder, makeSnippets } from './snippets.ts'
import styles from './start.module.css'

export function Snippets({ apiKey }: { readonly apiKey: string | null }) {
  const snippets = makeSnippets({ baseUrl: location.origin, key: apiKey ?? keyPlaceholder })
  return (
    <>
      {apiKey === null && (
        <p>Put your key in the place of {keyPlaceholder}. A key that you create above is filled in.</p>
      )}
      <Tabs className={styles.snippets ?? ''}>
        <TabList aria-label="Ways to send traces" className={styles.tabs ?? ''}>
          {snippets.map(({ id, label }) => (
            <Tab key={id} id={id} className={styles.tab ?? ''}>
              {label}
            </Tab>
          ))}
        </TabList>
        {snippets.map(({ id, label, note, intro, code }) => (
          <TabPanel key={id} id={id} className={styles.panel ?? ''}>
            {note === undefined ? null : <p>{note}</p>}
            {isCommand(intro) ? <CopyLine text={intro} label={`${label}: what to install`} /> : <p>{intro}</p>}
            <CopyLine text={code} label={`${label}: code`} />
          </TabPanel>
        ))}
      </Tabs>
    </>
  )
}

const isCommand = (intro: string): boolean => /^(npm|pip) install /.test(intro)

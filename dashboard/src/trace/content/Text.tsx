// Text from a trace. Whatever it contains, it is rendered as text nodes, links and the elements of Markdown only.
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatCount } from '../../format/index.ts'
import { BinaryNote } from './BinaryNote.tsx'
import { readBase64 } from './base64.ts'
import styles from './content.module.css'
import { Linked } from './Linked.tsx'
import { useRawText } from './raw-text.ts'
import { cutText, isCostlyMarkdown } from './text.ts'

const Markdown = lazy(() => import('./Markdown.tsx'))

/** Text as it was sent. */
export function Text({ text, isMono = false }: { readonly text: string; readonly isMono?: boolean }) {
  return (
    <Cut text={text}>
      {(shown) => <div className={isMono ? styles.code : styles.text}>{<Linked text={shown} />}</div>}
    </Cut>
  )
}

/** Text of a message, as Markdown unless the user asked for the text as it was sent, or unless parsing it would block the page. */
export function MessageText({ text }: { readonly text: string }) {
  const isRaw = useRawText()
  if (isRaw) return <Text text={text} />
  return (
    <Cut text={text}>
      {(shown) =>
        isCostlyMarkdown(shown) ? (
          <div className={styles.text}>{<Linked text={shown} />}</div>
        ) : (
          <Suspense fallback={<div className={styles.text}>{shown}</div>}>
            <Markdown text={shown} />
          </Suspense>
        )
      }
    </Cut>
  )
}

function Cut({ text, children }: { readonly text: string; readonly children: (shown: string) => ReactNode }) {
  const [isWhole, setIsWhole] = useState(false)
  const binary = readBase64(text)
  if (binary !== null) return <BinaryNote binary={binary} />
  const { shown, left } = isWhole ? { shown: text, left: 0 } : cutText(text)
  return (
    <>
      {children(shown)}
      {left > 0 ? (
        <button className={styles.more} onClick={() => setIsWhole(true)} type="button">
          Show all ({formatCount(left)} more characters)
        </button>
      ) : null}
    </>
  )
}

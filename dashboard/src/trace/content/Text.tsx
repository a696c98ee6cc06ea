// Text out of a trace. It becomes text nodes and links alone, whatever it holds.
import { useState } from 'react'
import { formatCount } from '../../format/index.ts'
import { BinaryNote } from './BinaryNote.tsx'
import { readBase64 } from './base64.ts'
import styles from './content.module.css'
import { Linked } from './Linked.tsx'
import { cutText } from './text.ts'

export function Text({ text, isMono = false }: { readonly text: string; readonly isMono?: boolean }) {
  const [isWhole, setIsWhole] = useState(false)
  const binary = readBase64(text)
  if (binary !== null) return <BinaryNote binary={binary} />
  const { shown, left } = isWhole ? { shown: text, left: 0 } : cutText(text)
  return (
    <div className={isMono ? styles.code : styles.text}>
      <Linked text={shown} />
      {left > 0 ? (
        <button className={styles.more} onClick={() => setIsWhole(true)} type="button">
          Show all ({formatCount(left)} more characters)
        </button>
      ) : null}
    </div>
  )
}

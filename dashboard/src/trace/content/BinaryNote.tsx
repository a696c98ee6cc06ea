// Binary data in a trace, described by format and size. A click shows an image.
import { useState } from 'react'
import { type Binary, formatBytes } from './base64.ts'
import styles from './content.module.css'

export function BinaryNote({ binary: { format, bytes, imageUrl } }: { readonly binary: Binary }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <div className={styles.media}>
      {format}, {formatBytes(bytes)}
      {imageUrl === null ? null : (
        <button aria-expanded={isShown} className={styles.more} onClick={() => setIsShown(!isShown)} type="button">
          {isShown ? 'Hide image' : 'Show image'}
        </button>
      )}
      {isShown && imageUrl !== null ? <img alt={`From the trace, ${format}`} src={imageUrl} /> : null}
    </div>
  )
}

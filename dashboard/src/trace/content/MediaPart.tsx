// An image or other file of a message. The service does not store its data, and its address is never fetched.
import { formatBytes, nameMime } from './base64.ts'
import styles from './content.module.css'
import { Linked } from './Linked.tsx'

type Props = { readonly url: string | null; readonly mime: string | null; readonly bytes: number | null }

export function MediaPart({ url, mime, bytes }: Props) {
  return (
    <div className={styles.media}>
      {[nameMime(mime), bytes === null ? null : formatBytes(bytes)].filter((said) => said !== null).join(', ')}
      {url === null ? (
        <span className={styles.faint}> (the data is not stored)</span>
      ) : (
        <>
          {' at '}
          <Linked text={url} />
          <span className={styles.faint}> (not loaded)</span>
        </>
      )}
    </div>
  )
}

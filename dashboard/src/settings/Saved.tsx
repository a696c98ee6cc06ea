import styles from './settings.module.css'

/** The note below a form that its last change was stored. */
export function Saved({ isSaved, children = 'Saved.' }: { readonly isSaved: boolean; readonly children?: string }) {
  return (
    <p role="status" className={styles.saved}>
      {isSaved && children}
    </p>
  )
}

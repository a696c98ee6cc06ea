// Notices that apply to every page: no network, and a connection without TLS, on which the browser does not keep the session.
import { useSyncExternalStore } from 'react'
import styles from './notices.module.css'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export function Notices() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.notice}>
          You are offline. The page shows data that was loaded before; it is not up to date.
        </p>
      )}
      {!isSecureContext && (
        <p className={styles.notice}>
          This connection is not encrypted: your session ends at a reload. Terminate TLS in front of the service.
        </p>
      )}
    </div>
  )
}

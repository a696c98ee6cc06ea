import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import styles from './term.module.css'

/** A word that shows its meaning on hover and when pressed, since keyboard and touch users cannot reach a title. */
export const Term = ({ means, children }: { readonly means: string; readonly children: string }) => (
  <span title={means}>
    <DialogTrigger>
      <Button className={styles.term ?? ''}>{children}</Button>
      <Popover className={styles.meaning ?? ''} placement="bottom">
        <Dialog aria-label={children} className={styles.dialog ?? ''}>
          {means}
        </Dialog>
      </Popover>
    </DialogTrigger>
  </span>
)

import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import styles from './term.module.css'

/** A word with its meaning: on hover, and where it is pressed, since a title is out of reach of the keyboard and of touch. */
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

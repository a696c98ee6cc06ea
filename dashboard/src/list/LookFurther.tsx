import type { ReactNode } from 'react'
import { Button, Empty } from '../ui/index.ts'

type Props = { readonly isLooking: boolean; readonly onLook: () => void; readonly children: ReactNode }

/** A request looks at so many rows at most: where the filters match rarely, it may have found none of those that there are. */
export const LookFurther = ({ isLooking, onLook, children }: Props) => (
  <Empty action={<Button onClick={onLook}>{isLooking ? 'Looking further' : 'Look further'}</Button>}>{children}</Empty>
)

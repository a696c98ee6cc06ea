import type { ReactNode } from 'react'
import { Button, Empty } from '../ui/index.ts'

type Props = { readonly isLooking: boolean; readonly onLook: () => void; readonly children: ReactNode }

/** Shown for an empty result that may not be final: a request scans a limited number of rows, and the filters may match later ones. */
export const LookFurther = ({ isLooking, onLook, children }: Props) => (
  <Empty action={<Button onClick={onLook}>{isLooking ? 'Looking further' : 'Look further'}</Button>}>{children}</Empty>
)

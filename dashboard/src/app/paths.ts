// Paths of pages that several pages link to.
import type { LinkProps } from '../ui/index.ts'

// The type of a link holds the routes of this tree alone.
const asPath = (path: string): LinkProps['to'] => path as LinkProps['to']

export const eventsPath = asPath('/w/$workspace_id/events')

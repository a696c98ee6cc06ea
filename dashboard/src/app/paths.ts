// Paths of pages that several pages link to.
import type { LinkProps } from '../ui/index.ts'

// The type of a link holds the routes of this tree alone.
const asPath = (path: string): LinkProps['to'] => path as LinkProps['to']

export const decisionsPath = asPath('/w/$workspace_id/decisions')
export const decisionPath = asPath('/w/$workspace_id/decisions/$decision_id')
export const eventsPath = asPath('/w/$workspace_id/events')
export const pricesPath = asPath('/w/$workspace_id/settings/prices')

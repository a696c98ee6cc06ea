// The subjects that fronts and actors use on the transport.

/** `ping` asks nothing but whether the owner is there. */
export type Operation = 'reserve' | 'settle' | 'snapshot' | 'ping'

/**
 * Requests to the owner of a partition. The token names one ownership, `<epoch>x<boot>`: a stale route finds nobody, and whoever
 * lost the partition cannot be reached by those who know better.
 */
export const operationSubject = (partition: number, token: string, operation: Operation): string =>
  `tw.p.${partition}.${token}.${operation}`

export const ownerPattern = (partition: number, token: string): string => `tw.p.${partition}.${token}.*`

/** Something that fronts and actors keep in memory has changed for one workspace. */
export const changeSubject = (partition: number): string => `tw.inv.${partition}`
export const keyRevokedSubject = 'tw.inv.key'
export const workspaceDeletedSubject = 'tw.inv.ws'
export const membershipSubject = 'tw.inv.user'
/** The four above. */
export const invalidationPattern = 'tw.inv.*'

/** Events of a workspace were committed. */
export const commitSubject = (partition: number): string => `tw.commit.${partition}`
export const commitPattern = 'tw.commit.*'

/** The ownership token of section 4 of the cluster design. */
export const makeToken = (epoch: number, boot: string): string => `${epoch}x${boot}`

/** That a member lives and what it owns, every second. Its name is one word. */
export const heartbeatSubject = (member: string): string => `tw.hb.${member}`
export const heartbeatPattern = 'tw.hb.*'
/** Partitions that have just been claimed, or have become free. */
export const routeSubject = 'tw.route'

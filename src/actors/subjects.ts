// The subjects that fronts and actors use on the transport.

/** `ping` only checks whether the owner answers. */
export type Operation = 'reserve' | 'settle' | 'snapshot' | 'ping'

/**
 * Subjects for requests to the owner of a partition. The token names one ownership, `<epoch>x<boot>`. A request with a stale route
 * therefore finds no responder, and a sender with the current route cannot reach a former owner.
 */
export const operationSubject = (partition: number, token: string, operation: Operation): string =>
  `tw.p.${partition}.${token}.${operation}`

export const ownerPattern = (partition: number, token: string): string => `tw.p.${partition}.${token}.*`

/** Data that fronts and actors keep in memory has changed for one workspace. */
export const changeSubject = (partition: number): string => `tw.inv.${partition}`
export const keyRevokedSubject = 'tw.inv.key'
export const workspaceDeletedSubject = 'tw.inv.ws'
export const membershipSubject = 'tw.inv.user'
/** Matches the four subjects above. */
export const invalidationPattern = 'tw.inv.*'

/** Events of a workspace were committed. */
export const commitSubject = (partition: number): string => `tw.commit.${partition}`
export const commitPattern = 'tw.commit.*'

/** The token of one ownership. */
export const makeToken = (epoch: number, boot: string): string => `${epoch}x${boot}`

/** A member's heartbeat with the partitions that it owns, sent every second. The member's name is one word. */
export const heartbeatSubject = (member: string): string => `tw.hb.${member}`
export const heartbeatPattern = 'tw.hb.*'
/** Partitions that have just been claimed or have become free. */
export const routeSubject = 'tw.route'

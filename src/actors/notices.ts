// Broadcasts after a commit: changes to data that other processes keep in memory, and news of stored events. A notice may be lost.
import { isUuid } from '../base/ids.ts'
import type { Transport } from '../bus/transport.ts'
import { decodeMessage, encodeMessage } from './envelope.ts'
import { partitionOf } from './partition.ts'
import {
  changeSubject,
  commitPattern,
  commitSubject,
  invalidationPattern,
  keyRevokedSubject,
  membershipSubject,
  workspaceDeletedSubject,
} from './subjects.ts'

const changeKinds = ['rules', 'quota', 'plan'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** Publish only after the commit. Each `subscribe…` returns a function that ends the subscription. Malformed notices are ignored. */
export type Notices = ReturnType<typeof makeNotices>

/** Details of a commit besides the number of events. */
export type CommitNews = {
  /** The subjects of the tool results that may be among the events (`encode/result-subjects.ts`); null: any subject. */
  readonly results: readonly number[] | null
  /** Decisions that a held-out call among the events contradicts. Their rules should be measured at once. */
  readonly contradicted: readonly string[]
}

const noNews: CommitNews = { results: null, contradicted: [] }

type Channel = Pick<Transport, 'publish' | 'subscribe'>

/**
 * `here` delivers within this process, even if the transport to other processes fails. `boot` identifies this start of this process: its
 * own notices also arrive through `others`, and are ignored because `here` has delivered them.
 */
export function makeNotices(here: Channel, others: { readonly channel: Channel; readonly boot: string } | null = null) {
  function listen(pattern: string, take: (notice: Record<string, unknown>) => void): () => void {
    const ends = [here, others?.channel].map((channel) =>
      channel?.subscribe(pattern, (body) => {
        const notice = decodeMessage(body)
        if (notice !== null && (channel === here || notice['from'] !== others?.boot)) take(notice)
      }),
    )
    return () => {
      for (const end of ends) end?.()
    }
  }

  function tell(subject: string, notice: object): void {
    here.publish(subject, encodeMessage(notice))
    others?.channel.publish(subject, encodeMessage({ ...notice, from: others.boot }))
  }

  return {
    publishChange(workspaceId: string, kind: ChangeKind): void {
      tell(changeSubject(partitionOf(workspaceId)), { ws: workspaceId, kind })
    },
    subscribeChanges: (take: (workspaceId: string, kind: ChangeKind) => void) =>
      listen(invalidationPattern, ({ ws, kind }) => {
        const known = changeKinds.find((one) => one === kind)
        if (isId(ws) && known !== undefined) take(ws, known)
      }),

    /** `digestHex`: the SHA-256 hash under which the key is stored, as 64 hexadecimal digits. */
    publishKeyRevoked(digestHex: string): void {
      tell(keyRevokedSubject, { key_hash: digestHex })
    },
    subscribeKeysRevoked: (take: (digestHex: string) => void) =>
      listen(keyRevokedSubject, ({ key_hash: text }) => {
        if (typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)) take(text)
      }),

    publishDeletion(workspaceId: string): void {
      tell(workspaceDeletedSubject, { ws: workspaceId })
    },
    subscribeDeletions: (take: (workspaceId: string) => void) =>
      listen(workspaceDeletedSubject, ({ ws }) => {
        if (isId(ws)) take(ws)
      }),

    /** The user joined or left an org, or sessions of the user have ended. */
    publishMembership(userId: string): void {
      tell(membershipSubject, { user: userId })
    },
    subscribeMemberships: (take: (userId: string) => void) =>
      listen(membershipSubject, ({ user }) => {
        if (isId(user)) take(user)
      }),

    /** `inserted`: how many events the transaction actually stored for the workspace. */
    publishCommit(workspaceId: string, inserted: number, { results, contradicted }: CommitNews = noNews): void {
      const told = { ...(results === null ? {} : { results }), ...(contradicted.length === 0 ? {} : { contradicted }) }
      tell(commitSubject(partitionOf(workspaceId)), { ws: workspaceId, inserted, ...told })
    },
    subscribeCommits: (take: (workspaceId: string, inserted: number, news: CommitNews) => void) =>
      listen(commitPattern, ({ ws, inserted, results, contradicted }) => {
        if (isId(ws) && Number.isSafeInteger(inserted))
          take(ws, inserted as number, {
            results: isSubjects(results) ? results : null,
            contradicted: isIds(contradicted) ? contradicted : [],
          })
      }),
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value)

const isIds = (value: unknown): value is string[] => Array.isArray(value) && value.every(isId)

const isSubjects = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isSafeInteger)

// Serves the partitions that this process owns: activates workspace actors on their first message and passivates idle ones.
import { Outage } from '../base/fault.ts'
import { Busy, type Served, type Transport } from '../bus/transport.ts'
import { decodeEnvelope, type Envelope, encodeReply, type OwnerReply } from './envelope.ts'
import { type Mailbox, makeMailbox } from './mailbox.ts'
import type { Notices } from './notices.ts'
import { type Fence, Fenced } from './owner/fenced.ts'
import type { PartitionServer } from './owner/holdings.ts'
import { partitionOf } from './partition.ts'
import { makeToken, operationSubject, ownerPattern } from './subjects.ts'
import { type ActorDeps, makeWorkspaceActor, type WorkspaceActor } from './workspace-actor.ts'

export type HostOptions = {
  readonly transport: Transport
  readonly notices: Pick<Notices, 'subscribeChanges' | 'subscribeDeletions'>
  readonly actor: ActorDeps
  /** Random, and new with each start; part of the ownership token. */
  readonly boot: string
  /** Checked when a message arrives, when its turn comes, and before it is answered. False if another process may have taken over. */
  readonly mayAnswer: () => boolean
  /** Called when a write of an actor found that the partition has another owner. */
  readonly onFenced: (fence: Fence) => void
  /** Called with unexpected errors of actors. */
  readonly onError: (error: unknown) => void
  /** Called for each message when its turn comes, with the time that it waited. */
  readonly onTurn?: (waitedMs: number) => void
  readonly mailboxCapacity?: number
  readonly maxActors?: number
  readonly idleAfterMs?: number
}

export type ActorHost = PartitionServer & {
  activeCount(): number
  /** Number of messages that run or wait with all actors; costs one step per actor. */
  messageCount(): number
  /** Passivates actors that have been idle for long enough. The host also does so every minute. */
  passivate(): void
  /** Accepts no more messages; resolves when the accepted ones have been answered. */
  readonly stop: () => Promise<void>
}

type Active = {
  readonly actor: WorkspaceActor
  readonly mailbox: Mailbox
  readonly partition: number
  lastUsedMs: number
}

type Owning = { readonly epoch: number; readonly served: Served }

const sweepIntervalMs = 60_000

/** Serves nothing until `own` adds partitions. */
export function openActorHost(options: HostOptions): ActorHost {
  const { mailboxCapacity = 1_000, maxActors = 10_000, idleAfterMs = 600_000 } = options
  const { nowMs } = options.actor
  const owning = new Map<number, Owning>()
  // In the order of last use, the least recent first.
  const active = new Map<string, Active>()

  function passivate(): void {
    for (const [workspaceId, one] of active) {
      if (nowMs() - one.lastUsedMs < idleAfterMs) return
      if (one.mailbox.size() === 0) active.delete(workspaceId)
    }
  }

  function activate(workspaceId: string, partition: number): Active {
    const known = active.get(workspaceId)
    if (known === undefined && active.size >= maxActors) makeRoom()
    const one = known ?? {
      actor: makeWorkspaceActor(options.actor, workspaceId),
      mailbox: makeMailbox(mailboxCapacity),
      partition,
      lastUsedMs: 0,
    }
    one.lastUsedMs = nowMs()
    active.delete(workspaceId)
    active.set(workspaceId, one)
    return one
  }

  /** Passivates the actor that has been idle longest. The database still enforces the quota that the actor has granted. */
  function makeRoom(): void {
    for (const [workspaceId, one] of active) {
      if (one.mailbox.size() > 0) continue
      active.delete(workspaceId)
      return
    }
    throw new Busy(`the limit of ${maxActors} busy actors is reached`)
  }

  /** State of a lost ownership is never used again, not even if the same process becomes the owner again. */
  function forget(partition: number): void {
    for (const [workspaceId, one] of active) if (one.partition === partition) active.delete(workspaceId)
  }

  const isOwner = (partition: number, epoch: number): boolean => owning.get(partition)?.epoch === epoch
  /** Null if the message may be processed and answered. */
  function refuse(partition: number, epoch: number): OwnerReply | null {
    if (!isOwner(partition, epoch)) return { ok: false, code: 'not_owner' }
    return options.mayAnswer() ? null : { ok: false, code: 'fenced' }
  }

  async function answer(envelope: Envelope, partition: number): Promise<OwnerReply> {
    const { ws, epoch, budgetMs } = envelope
    if (partitionOf(ws) !== partition) return { ok: false, code: 'not_owner' }
    const refused = refuse(partition, epoch)
    if (refused !== null) return refused
    const takenAtMs = nowMs()
    try {
      const { actor, mailbox } = activate(ws, partition)
      const reply = await mailbox.run(async (): Promise<OwnerReply> => {
        options.onTurn?.(nowMs() - takenAtMs)
        // The sender no longer waits for the answer.
        if (budgetMs > 0 && nowMs() - takenAtMs >= budgetMs) return { ok: false, code: 'expired' }
        return refuse(partition, epoch) ?? (await actor.handle(envelope.op, envelope.body))
      })
      return refuse(partition, epoch) ?? reply
    } catch (error) {
      if (error instanceof Busy) return { ok: false, code: 'busy' }
      if (error instanceof Outage) return { ok: false, code: 'outage' }
      if (error instanceof Fenced) {
        if (error.fence !== null) options.onFenced(error.fence)
        return { ok: false, code: 'fenced' }
      }
      options.onError(error)
      return { ok: false, code: 'failed' }
    }
  }

  function serve(partition: number, token: string): Served {
    const ping = operationSubject(partition, token, 'ping')
    return options.transport.serve(ownerPattern(partition, token), async (bytes, subject) => {
      if (subject === ping) return encodeReply({ ok: true, body: {} })
      const envelope = decodeEnvelope(bytes)
      return encodeReply(envelope === null ? { ok: false, code: 'bad_request' } : await answer(envelope, partition))
    })
  }

  /** This process stays the owner until the messages in progress have been answered. */
  async function release(partition: number): Promise<void> {
    const one = owning.get(partition)
    await one?.served.drain()
    if (owning.get(partition) === one) drop(partition)
  }

  function drop(partition: number): void {
    const { served } = owning.get(partition) ?? {}
    owning.delete(partition)
    forget(partition)
    // There is nothing to wait for: the messages in progress are refused.
    void served?.drain()
  }

  const ends = [
    options.notices.subscribeChanges((workspaceId, kind) => {
      if (kind !== 'rules') active.get(workspaceId)?.actor.doubtQuota()
    }),
    options.notices.subscribeDeletions((workspaceId) => active.delete(workspaceId)),
  ]
  const sweep = setInterval(passivate, sweepIntervalMs)
  sweep.unref()

  return {
    own(partition, epoch) {
      drop(partition)
      owning.set(partition, { epoch, served: serve(partition, makeToken(epoch, options.boot)) })
    },
    release,
    drop,
    forget: () => active.clear(),
    activeCount: () => active.size,
    messageCount: () => active.values().reduce((sum, { mailbox }) => sum + mailbox.size(), 0),
    passivate,
    async stop() {
      clearInterval(sweep)
      for (const end of ends) end()
      await Promise.all([...owning.keys()].map(release))
      active.clear()
    },
  }
}

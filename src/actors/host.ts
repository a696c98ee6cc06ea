// Floor 3. Serves the partitions that this process owns: activates workspace actors on their first message, passivates idle ones.
import { Outage } from '../base/fault.ts'
import { Busy, type Transport } from '../bus/transport.ts'
import { decodeEnvelope, type Envelope, encodeReply, type Reply } from './envelope.ts'
import { type Mailbox, makeMailbox } from './mailbox.ts'
import type { Notices } from './notices.ts'
import { partitionCount, partitionOf } from './partition.ts'
import { makeToken, ownerPattern } from './subjects.ts'
import { type ActorDeps, makeWorkspaceActor, type WorkspaceActor } from './workspace-actor.ts'

export type HostOptions = {
  readonly transport: Transport
  readonly notices: Pick<Notices, 'subscribeChanges' | 'subscribeDeletions'>
  readonly actor: ActorDeps
  /** Random and new with each start: part of the ownership token. */
  readonly boot: string
  /** Told of what an actor threw and should not have. */
  readonly onError: (error: unknown) => void
  readonly mailboxCapacity?: number
  readonly maxActors?: number
  readonly idleAfterMs?: number
}

export type ActorHost = {
  readonly epoch: number
  /** What routes to this host carry. */
  readonly token: string
  activeCount(): number
  /** Passivates what has been idle for long enough; the host does it by itself every minute. */
  passivate(): void
  /** Takes no more messages; resolves when those taken have been answered. */
  readonly stop: () => Promise<void>
}

type Active = { readonly actor: WorkspaceActor; readonly mailbox: Mailbox; lastUsedMs: number }

const sweepIntervalMs = 60_000
// One owner, one epoch: claiming partitions in the database, and with it counting epochs, comes with the cluster.
const onlyEpoch = 1

/** Serves all partitions when it returns. */
export function openActorHost(options: HostOptions): ActorHost {
  const { mailboxCapacity = 1_000, maxActors = 10_000, idleAfterMs = 600_000 } = options
  const { nowMs } = options.actor
  const token = makeToken(onlyEpoch, options.boot)
  // In the order of last use, the oldest first.
  const active = new Map<string, Active>()

  function passivate(): void {
    for (const [workspaceId, one] of active) {
      if (nowMs() - one.lastUsedMs < idleAfterMs) return
      if (one.mailbox.size() === 0) active.delete(workspaceId)
    }
  }

  function activate(workspaceId: string): Active {
    const known = active.get(workspaceId)
    if (known === undefined && active.size >= maxActors) makeRoom()
    const one = known ?? {
      actor: makeWorkspaceActor(options.actor, workspaceId),
      mailbox: makeMailbox(mailboxCapacity),
      lastUsedMs: 0,
    }
    one.lastUsedMs = nowMs()
    active.delete(workspaceId)
    active.set(workspaceId, one)
    return one
  }

  /** Passivates the one that has been idle longest; what it had promised the database still guards. */
  function makeRoom(): void {
    for (const [workspaceId, one] of active) {
      if (one.mailbox.size() > 0) continue
      active.delete(workspaceId)
      return
    }
    throw new Busy(`${maxActors} actors are at work`)
  }

  async function answer(envelope: Envelope, partition: number): Promise<Reply> {
    if (envelope.epoch !== onlyEpoch || partitionOf(envelope.ws) !== partition) return { ok: false, code: 'not_owner' }
    const takenAtMs = nowMs()
    try {
      const { actor, mailbox } = activate(envelope.ws)
      return await mailbox.run(async () => {
        const isLate = envelope.budgetMs > 0 && nowMs() - takenAtMs >= envelope.budgetMs
        // Its sender has gone on without us.
        return isLate ? { ok: false, code: 'expired' } : await actor.handle(envelope.op, envelope.body)
      })
    } catch (error) {
      if (error instanceof Busy) return { ok: false, code: 'busy' }
      if (error instanceof Outage) return { ok: false, code: 'outage' }
      options.onError(error)
      return { ok: false, code: 'failed' }
    }
  }

  const served = Array.from({ length: partitionCount }, (_, partition) =>
    options.transport.serve(ownerPattern(partition, token), async (bytes) => {
      const envelope = decodeEnvelope(bytes)
      return encodeReply(envelope === null ? { ok: false, code: 'bad_request' } : await answer(envelope, partition))
    }),
  )
  const ends = [
    options.notices.subscribeChanges((workspaceId, kind) => {
      if (kind !== 'rules') active.get(workspaceId)?.actor.doubtQuota()
    }),
    options.notices.subscribeDeletions((workspaceId) => active.delete(workspaceId)),
  ]
  const sweep = setInterval(passivate, sweepIntervalMs)
  sweep.unref()

  return {
    epoch: onlyEpoch,
    token,
    activeCount: () => active.size,
    passivate,
    async stop() {
      clearInterval(sweep)
      for (const end of ends) end()
      await Promise.all(served.map(({ drain }) => drain()))
      active.clear()
    },
  }
}

// Members of a cluster in one process, on a virtual clock: each can be killed, stopped as by SIGSTOP, restarted and cut off.

import { type Clock } from '../../../src/actors/clock.ts'
import { decodeReply, encodeEnvelope } from '../../../src/actors/envelope.ts'
import { decodeHeartbeat } from '../../../src/actors/heartbeat.ts'
import { type ActorHost, openActorHost } from '../../../src/actors/host.ts'
import { makeNotices } from '../../../src/actors/notices.ts'
import type { EpochStore } from '../../../src/actors/owner/epoch-store.ts'
import { type Ownership, openOwnership } from '../../../src/actors/owner/ownership.ts'
import { partitionCount, partitionOf } from '../../../src/actors/partition.ts'
import { makeToken, operationSubject } from '../../../src/actors/subjects.ts'
import { Outage } from '../../../src/base/fault.ts'
import { makeUuidV7 } from '../../../src/base/ids.ts'
import type { Transport } from '../../../src/bus/transport.ts'
import { type ChaosNetwork, openChaosNetwork } from '../../_kit/chaos-transport.ts'
import { makeVirtualClock, type VirtualClock } from '../../_kit/virtual-clock.ts'

export type TestMember = {
  readonly name: string
  readonly boot: string
  readonly ownership: Ownership
  readonly host: ActorHost
  /** Partitions that it would answer for now. */
  answersFor(): number[]
  /** SIGSTOP: its timers do not run, and its messages wait. */
  pause(): void
  resume(): void
  /** kill -9. */
  kill(): void
  stop(): Promise<void>
  readonly isDown: () => boolean
}

export type Cluster = {
  readonly clock: VirtualClock
  readonly network: ChaosNetwork
  start(name: string, options?: { readonly isAlone?: boolean; readonly skewMs?: number }): TestMember
  /** Members that have not ended, including paused ones. */
  members(): TestMember[]
  /** Requests a snapshot of a workspace of the partition, for that ownership. Returns `ok`, a refusal, or the name of an error. */
  send(pid: number, epoch: number, boot: string): Promise<string>
  /** The same, and advances the time until there is an answer. */
  ask(pid: number, epoch: number, boot: string): Promise<string>
  /** Faults that no member should have, including answers under an old echo. */
  readonly faults: readonly string[]
}

export type ClusterOptions = {
  readonly seed?: number
  readonly epochsOf: (member: string) => EpochStore
  /** True if no query is in progress. */
  readonly idle?: () => boolean
  readonly readRules?: () => Promise<'same'>
}

const sendTimeoutMs = 400
const lastWordsMs = 250

const workspaces = new Map<number, string>()
/** Returns a workspace of the partition. */
export function workspaceIn(pid: number): string {
  while (!workspaces.has(pid)) {
    const id = makeUuidV7()
    workspaces.set(partitionOf(id), id)
  }
  return workspaces.get(pid) as string
}

export function makeCluster({ seed = 1, epochsOf, idle, readRules }: ClusterOptions): Cluster {
  const clock = makeVirtualClock(idle)
  const faults: string[] = []
  const onError = (error: unknown): void => void faults.push(String(error))
  const network = openChaosNetwork({ seed, onError, after: clock.after })
  const members: TestMember[] = []
  let front: Transport | null = null
  let boots = 0

  function start(name: string, { isAlone = false, skewMs = 0 } = {}): TestMember {
    boots += 1
    const boot = `b${boots}`
    const inner = network.join(name)
    const waiting: (() => void)[] = []
    let isPaused = false
    let isDown = false
    let echoMs = Number.NEGATIVE_INFINITY

    const whenRunning = (run: () => void): void => {
      if (isDown) return
      if (isPaused) waiting.push(run)
      else run()
    }
    const own: Clock = {
      nowMs: () => clock.nowMs() + skewMs,
      after: (delayMs, run) => clock.after(delayMs, () => whenRunning(run)),
    }
    const transport: Transport = {
      ...inner,
      serve: (pattern, handler) =>
        inner.serve(pattern, async (body, subject) => {
          await new Promise<void>((go) => whenRunning(go))
          const answer = await handler(body, subject)
          const isAnswer = !subject.endsWith('.ping') && decodeReply(answer)?.ok === true
          if (isAnswer && own.nowMs() - echoMs >= 3_000) faults.push(`${name} answered by an echo of ${echoMs}`)
          return answer
        }),
      subscribe: (pattern, handler) =>
        inner.subscribe(pattern, (body, subject) =>
          whenRunning(() => {
            const heartbeat = subject.startsWith('tw.hb.') ? decodeHeartbeat(body) : null
            if (heartbeat?.boot === boot) echoMs = Math.max(echoMs, heartbeat.sentAtMs)
            handler(body, subject)
          }),
        ),
    }
    const host = openActorHost({
      transport,
      notices: makeNotices(transport),
      boot,
      mayAnswer: () => ownership.mayAnswer(),
      onFenced: (fence) => ownership.reportFenced(fence),
      onError,
      actor: {
        readQuota: () => Promise.resolve(null),
        readRules: readRules ?? (() => Promise.resolve('same')),
        nowMs: own.nowMs,
      },
    })
    const ownership: Ownership = openOwnership({
      transport,
      epochs: epochsOf(name),
      member: name,
      boot,
      clock: own,
      isAlone,
      server: host,
      onLost: () => undefined,
      onFenceClosed: () => undefined,
      onError: (error) => {
        if (!(error instanceof Outage)) onError(error)
      },
    })
    const member: TestMember = {
      name,
      boot,
      ownership,
      host,
      answersFor: () =>
        isDown || isPaused || !ownership.mayAnswer() ? [] : ownership.describe().owned.map(([pid]) => pid),
      pause() {
        isPaused = true
      },
      resume() {
        isPaused = false
        for (const run of waiting.splice(0)) whenRunning(run)
      },
      kill() {
        isDown = true
        network.lose(name)
      },
      async stop() {
        await ownership.stop()
        await host.stop()
        isDown = true
        // Its last messages are sent if it has a connection.
        clock.after(lastWordsMs, () => void inner.stop())
      },
      isDown: () => isDown,
    }
    members.push(member)
    return member
  }

  function send(pid: number, epoch: number, boot: string): Promise<string> {
    front ??= network.join('front')
    const envelope = { op: 'snapshot', ws: workspaceIn(pid), epoch, reqId: 'x', budgetMs: 0, body: { ifVersion: null } }
    const subject = operationSubject(pid, makeToken(epoch, boot), 'snapshot')
    return front.request(subject, encodeEnvelope(envelope), { timeoutMs: sendTimeoutMs }).then(
      (bytes) => {
        const reply = decodeReply(bytes)
        return reply === null ? 'nonsense' : reply.ok ? 'ok' : reply.code
      },
      (error: unknown) => (error as Error).name,
    )
  }

  return {
    clock,
    network,
    start,
    members: () => members.filter((one) => !one.isDown()),
    send,
    async ask(pid, epoch, boot) {
      const asked = send(pid, epoch, boot)
      await clock.advance(sendTimeoutMs)
      return await asked
    },
    faults,
  }
}

/** Returns the members that answer for each partition. */
export function whoAnswers(cluster: Cluster): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const member of cluster.members())
    for (const pid of member.answersFor()) found.set(pid, [...(found.get(pid) ?? []), member.name])
  return found
}

/** Returns true if exactly one member answers for each partition. */
export function isWhole(cluster: Cluster): boolean {
  const found = whoAnswers(cluster)
  return found.size === partitionCount && [...found.values()].every((names) => names.length === 1)
}

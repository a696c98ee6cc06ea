// A network of transports in one process that drops, delays, duplicates and cuts off messages. A seed makes it repeatable, on any clock.
import { makeSubjectTree } from '../../src/bus/subject-tree.ts'
import {
  NoResponders,
  type Transport,
  type TransportState,
  TransportTimeout,
  Unavailable,
} from '../../src/bus/transport.ts'
import { makeRandom } from './random.ts'

export type Weather = {
  /** Shares of all messages, including answers. */
  readonly dropShare: number
  readonly duplicateShare: number
  /** From the first value to below the second; messages may overtake each other. */
  readonly delayMs: readonly [number, number]
}

export type ChaosOptions = {
  readonly seed: number
  readonly onError: (error: unknown, subject: string) => void
  /** Runs a function later, on the clock of the test, and returns a function that cancels it. Default: the real clock. */
  readonly after?: (delayMs: number, run: () => void) => () => void
}

export type ChaosNetwork = {
  /** Returns a new member's transport, which is up from the start. */
  join(name: string): Transport
  /** Changes the given values. At the start, no message is dropped, duplicated or delayed. */
  setWeather(weather: Partial<Weather>): void
  /**
   * Cuts the connections between different groups. Members are not notified: their requests time out. A member that is not named is in no
   * group and reaches only itself.
   */
  cut(...groups: readonly (readonly string[])[]): void
  /** Ends the cut. */
  heal(): void
  /** Takes the member's connection down; the member is notified, and other members do not find what it serves. */
  lose(name: string): void
  regain(name: string): void
  /** Makes the member's server hang: no message arrives or leaves, not even to the member itself, but its state is up until it reconnects. */
  hang(name: string): void
}

type Member = {
  readonly name: string
  readonly open: Set<(error: Error) => void>
  readonly stateListeners: Set<(state: TransportState) => void>
  state: TransportState
  isHung: boolean
  isStopped: boolean
}

type Listener = {
  readonly member: Member
  readonly handle: (body: Uint8Array, subject: string) => Promise<Uint8Array> | null
  readonly running: Set<Promise<unknown>>
}

/** Opens a network. Its members reach each other only through it. */
export function openChaosNetwork({ seed, onError, after = afterReally }: ChaosOptions): ChaosNetwork {
  const random = makeRandom(seed)
  const members = new Map<string, Member>()
  const listeners = makeSubjectTree<Listener>()
  let weather: Weather = { dropShare: 0, duplicateShare: 0, delayMs: [0, 0] }
  let groupOf: Map<string, number> | null = null

  const flows = (member: Member): boolean => member.state === 'up' && !member.isHung
  function reaches(from: Member, to: Member): boolean {
    if (!flows(from) || !flows(to)) return false
    if (from === to || groupOf === null) return true
    const group = groupOf.get(from.name)
    return group !== undefined && group === groupOf.get(to.name)
  }

  /** Delivers a message, unless it is lost or its path is cut when it is sent or when it arrives. */
  function carry(from: Member, to: Member, arrive: () => void): void {
    if (!reaches(from, to) || random.chance(weather.dropShare)) return
    const [least, most] = weather.delayMs
    for (let copies = random.chance(weather.duplicateShare) ? 2 : 1; copies > 0; copies -= 1)
      after(least + random.int(Math.max(most - least, 1)), () => {
        if (reaches(from, to)) arrive()
      })
  }

  async function run({ handle, running }: Listener, body: Uint8Array, subject: string): Promise<Uint8Array | null> {
    const work = (async () => await handle(body, subject))()
    const settled = work.then(
      () => undefined,
      (error: unknown) => onError(error, subject),
    )
    running.add(settled)
    void settled.then(() => running.delete(settled))
    return await work
  }

  function setState(member: Member, state: TransportState): void {
    if (member.state === state || member.isStopped) return
    member.state = state
    if (state === 'down') for (const fail of member.open) fail(new Unavailable(`${member.name} is not connected`))
    for (const tell of member.stateListeners) tell(state)
  }

  function request(from: Member, subject: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (from.state === 'down') return reject(new Unavailable(`${from.name} is not connected`))
      const responders = listeners.match(subject).filter(({ member }) => member.state === 'up')
      if (responders.length === 0 && flows(from)) return reject(new NoResponders(`no process answers on ${subject}`))
      const end = (): void => {
        cancel()
        from.open.delete(fail)
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const cancel = after(timeoutMs, () =>
        fail(new TransportTimeout(`no answer on ${subject} within ${timeoutMs} ms`)),
      )
      from.open.add(fail)
      const sent = new Uint8Array(body)
      for (const responder of responders) {
        const back = (arrive: () => void): void => carry(responder.member, from, arrive)
        carry(from, responder.member, () => {
          run(responder, new Uint8Array(sent), subject).then(
            (answer) => {
              if (answer === null) return
              const bytes = new Uint8Array(answer)
              back(() => {
                end()
                resolve(bytes)
              })
            },
            () => back(() => fail(new Unavailable('the responder failed'))),
          )
        })
      }
    })
  }

  function listen(member: Member, pattern: string, handle: Listener['handle']) {
    const running = new Set<Promise<unknown>>()
    return { end: listeners.add(pattern, { member, handle, running }), running }
  }

  function connect(member: Member): Transport {
    return {
      request: (subject, body, { timeoutMs }) => request(member, subject, body, timeoutMs),
      publish(subject, body) {
        const sent = new Uint8Array(body)
        // The error of a handler has been reported; a notice has no sender that waits for it.
        for (const listener of listeners.match(subject))
          carry(member, listener.member, () => void run(listener, new Uint8Array(sent), subject).catch(() => undefined))
      },
      serve(pattern, handler) {
        const { end, running } = listen(member, pattern, handler)
        return {
          async drain() {
            end()
            await Promise.all(running)
          },
        }
      },
      subscribe: (pattern, handler) =>
        listen(member, pattern, (body, subject) => {
          handler(body, subject)
          return null
        }).end,
      flush: () =>
        new Promise((resolve, reject) => {
          after(0, () => (flows(member) ? resolve() : reject(new Unavailable(`${member.name} is not connected`))))
        }),
      onState(listener) {
        member.stateListeners.add(listener)
        listener(member.state)
        return () => void member.stateListeners.delete(listener)
      },
      reconnect() {
        if (member.state === 'down') return
        setState(member, 'down')
        member.isHung = false
        after(0, () => setState(member, 'up'))
      },
      stop() {
        setState(member, 'down')
        member.isStopped = true
        return Promise.resolve()
      },
    }
  }

  function find(name: string): Member {
    const member = members.get(name)
    if (member === undefined) throw new Error(`${name} has not joined`)
    return member
  }

  return {
    join(name) {
      const member: Member = {
        name,
        open: new Set(),
        stateListeners: new Set(),
        state: 'up',
        isHung: false,
        isStopped: false,
      }
      members.set(name, member)
      return connect(member)
    },
    setWeather(change) {
      weather = { ...weather, ...change }
    },
    cut(...groups) {
      groupOf = new Map(groups.flatMap((names, group) => names.map((name) => [name, group] as const)))
    },
    heal() {
      groupOf = null
    },
    lose: (name) => setState(find(name), 'down'),
    regain: (name) => setState(find(name), 'up'),
    hang(name) {
      find(name).isHung = true
    },
  }
}

function afterReally(delayMs: number, run: () => void): () => void {
  // Without a delay, messages keep the order in which they were sent.
  if (delayMs === 0) {
    const immediate = setImmediate(run)
    return () => clearImmediate(immediate)
  }
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}

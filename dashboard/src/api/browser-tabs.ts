// How tabs of one browser find each other. A page over plain HTTP at another address than this machine's has no locks.
import type { TabMessage, Tabs } from './session.ts'

const name = 'tracewright-session'
/** Shared by all open tabs, each for as long as it lives. So it tells how many answers there will be. */
const tabLock = 'tracewright-tab'
/** A tab that the browser has frozen does not answer. */
const longestAnswerMs = 1_000
/** Without locks nobody knows how many tabs there are. */
const blindAnswerMs = 60

export function openTabs(): Tabs {
  const channel = new BroadcastChannel(name)
  const isOpen = 'locks' in navigator ? holdTabLock() : null

  /** Null where that is not known. */
  async function countOthers(): Promise<number | null> {
    if (isOpen === null) return null
    await isOpen
    const { held = [] } = await navigator.locks.query()
    return held.filter((lock) => lock.name === tabLock).length - 1
  }

  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
    async ask(isEnough) {
      const others = await countOthers()
      if (others === 0) return
      let left = others ?? Infinity
      const heard = new AbortController()
      await new Promise<void>((done) => {
        setTimeout(done, others === null ? blindAnswerMs : longestAnswerMs)
        // After the listeners above, so that they know the answer already.
        const hear = ({ data }: MessageEvent<TabMessage>): void => {
          if (data.kind !== 'answer') return
          left -= 1
          if (left === 0 || isEnough()) done()
        }
        channel.addEventListener('message', hear, { signal: heard.signal })
        channel.postMessage({ kind: 'ask' } satisfies TabMessage)
      })
      heard.abort()
    },
  }
}

const holdTabLock = async (): Promise<void> =>
  await new Promise<void>((granted) => {
    void navigator.locks.request(tabLock, { mode: 'shared' }, async () => {
      granted()
      await new Promise(() => undefined)
    })
  })

export const alone = async <T>(task: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? await navigator.locks.request(name, task) : await task()

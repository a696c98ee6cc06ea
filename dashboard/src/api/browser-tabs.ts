// Communication between the tabs of one browser. A page served over plain HTTP has no Web Locks, except on the local machine.
import type { TabMessage, Tabs } from './session.ts'

const name = 'tracewright-session'
/** A shared lock that each tab holds as long as it is open. The number of other holders is the number of answers to expect. */
const tabLock = 'tracewright-tab'
/** The longest wait for answers: a tab that the browser has frozen does not answer. */
const longestAnswerMs = 1_000
/** The wait for answers without locks, when the number of tabs is unknown. */
const blindAnswerMs = 60

export function openTabs(): Tabs {
  const channel = new BroadcastChannel(name)
  const isOpen = 'locks' in navigator ? holdTabLock() : null

  /** Returns the number of other tabs; null without locks. */
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
        // Runs after the listeners that `listen` added, which have read the answer by then.
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

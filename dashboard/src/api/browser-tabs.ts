// How tabs of one browser find each other. A page over plain HTTP at another address than this machine's has no locks.
import type { TabMessage, Tabs } from './session.ts'

const name = 'tracewright-session'
const answerMs = 60

export function openTabs(): Tabs {
  const channel = new BroadcastChannel(name)
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
  }
}

export const alone = async <T>(task: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? await navigator.locks.request(name, task) : await task()

export const waitForTabs = (): Promise<void> => new Promise((done) => setTimeout(done, answerMs))

// Timings of a dashboard page as the page itself sees them: paints, long tasks, frames, and the time from an input until something is
// shown. A measurement from outside would include its own overhead.
import type { Page } from 'playwright-core'

/** JavaScript of the page: a function that returns whether something is shown. It is called once a frame. */
export type Condition = string

const deadlineMs = 120_000

/** `page.addInitScript` of this gives every document of the page its clock, which waits for `loaded` from the start of the document. */
export const pageClock = (loaded: Condition | null): string => `globalThis.clock = (() => {
  const tasks = []
  const keep = (entries) => tasks.push(...entries.map(({ startTime, duration }) => ({ startMs: startTime, ms: duration })))
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ type: 'longtask', buffered: true })
  const frame = () => new Promise((turn) => requestAnimationFrame(turn))
  // A message that is sent inside of a frame comes when that frame is painted.
  const painted = () => new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now())
    port2.postMessage(null)
  })
  const shown = async (holds) => {
    for (;;) {
      await frame()
      if (holds()) return await painted()
      if (performance.now() > ${deadlineMs}) throw new Error('this is never shown: ' + holds)
    }
  }
  return {
    frame,
    painted,
    shown,
    isCalm: () => document.querySelector('[aria-busy=true], [class*=skeleton], [class*=unready]') === null,
    arm(type, holds) {
      this.answer = new Promise((done) => {
        const start = ({ timeStamp: startMs }) => done(shown(holds).then((endMs) => ({ startMs, ms: endMs - startMs })))
        addEventListener(type, start, { capture: true, once: true })
      })
    },
    watchDraws(canvas) {
      const context = canvas.getContext('2d')
      const { clearRect } = context
      context.clearRect = (...box) => {
        this.drawnAtMs = performance.now()
        clearRect.apply(context, box)
      }
    },
    longestTask(fromMs) {
      keep(observer.takeRecords())
      return Math.max(0, ...tasks.filter(({ startMs, ms }) => startMs + ms > fromMs).map(({ ms }) => ms))
    },
    async frames(count, move) {
      const gaps = []
      let beforeMs = await frame()
      for (let at = 1; at <= count; at += 1) {
        move(at / count)
        const nowMs = await frame()
        gaps.push(nowMs - beforeMs)
        beforeMs = nowMs
      }
      return gaps
    },
  }
})()
${loaded === null ? '' : `clock.loaded = clock.shown(${loaded})`}`

/** Returns the first paint, in milliseconds from the start of the document. */
export const readFirstPaint = async (page: Page): Promise<number> =>
  await page.evaluate<number>("performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN")

/** Returns milliseconds from the start of the document until the content that the clock waits for was painted. */
export const readLoaded = async (page: Page): Promise<number> => await page.evaluate<number>('clock.loaded')

export type Reaction = { readonly startMs: number; readonly ms: number }

/** Measures from the next event of the type, which `act` triggers, until its result is painted. */
export async function timeReaction(
  page: Page,
  { type, shown, act }: { readonly type: string; readonly shown: Condition; readonly act: () => Promise<unknown> },
): Promise<Reaction> {
  await page.evaluate(`clock.arm(${JSON.stringify(type)}, ${shown})`)
  await act()
  return await page.evaluate<Reaction>('clock.answer')
}

/** Returns 0 if no task since then was longer than 50 ms; the browser does not report shorter ones. */
export const readLongestTask = async (page: Page, fromMs: number): Promise<number> =>
  await page.evaluate<number>(`clock.longestTask(${fromMs})`)

export type Frames = {
  /** The times between frames. */
  readonly gapsMs: readonly number[]
  /** CPU of the page's main thread for each frame, which other load on the machine does not lengthen. */
  readonly cpuMs: number
}

/** JavaScript of the page: a function of a share from 0 to 1, called once a frame. */
export type Move = string

export const rest: Move = '() => undefined'

/** Scrolls from the start to the end of the content of an element. */
export const scrollOf = (selector: string): Move => `((box) => (share) => {
  box.scrollTop = share * (box.scrollHeight - box.clientHeight)
})(document.querySelector('${selector}'))`

export async function timeFrames(page: Page, count: number, move: Move): Promise<Frames> {
  const { result, cpuMs } = await measureCpu(page, async () => {
    return await page.evaluate<number[]>(`clock.frames(${count}, ${move})`)
  })
  return { gapsMs: result, cpuMs: cpuMs / count }
}

/** Returns the result of `work` and the CPU of the page's main thread for it. */
export async function measureCpu<T>(
  page: Page,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpuMs: number }> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readCpuS = async (): Promise<number> => {
    const { metrics } = await debug.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const beforeS = await readCpuS()
  const result = await work()
  const cpuMs = ((await readCpuS()) - beforeS) * 1_000
  await debug.detach()
  return { result, cpuMs }
}

/** Collects garbage, then returns the memory of script objects, of what the browser keeps for them, and of typed arrays. */
export async function readHeapMiB(page: Page): Promise<number> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('HeapProfiler.collectGarbage')
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await debug.send('Runtime.getHeapUsage')
  await debug.detach()
  return (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20
}

/** Returns the duration of the slowest request to the API, in milliseconds. */
export const readSlowestAnswer = async (page: Page): Promise<number> =>
  await page.evaluate<number>(
    "Math.max(...performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/')).map(({ duration }) => duration))",
  )

// Standard output and standard error of the process. Text that cannot be written is lost and never ends the process.
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** An output for log lines. */
export type LineOutput = {
  /** Takes a line with its line end. It is written soon, asynchronously. */
  readonly write: (line: string) => void
  /** Writes the waiting lines synchronously, for a process that ends. */
  readonly flush: () => void
  readonly lostLines: () => number
}

/** Pause before the next attempt on a non-blocking pipe whose reader is behind. */
const retryMs = 20
/** Maximum length of all lines that wait for a slow reader, in UTF-16 code units. Further lines are lost. */
const longestWaiting = 1_048_576
/** A write that has taken longer may never end, and neither would another one. */
const stuckMs = 1_000
const flushMs = 100
const lineEnd = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Calls `onFirstLost` with the reason of the first line that is lost, and never again. */
export function openLineOutput(fd: number, onFirstLost: (reason: string) => void): LineOutput {
  let lost = 0
  let waiting: string[] = []
  let waitingLength = 0
  /** The last failed write ended in the middle of a line. */
  let isTorn = false
  let sending: { readonly bytes: Buffer; from: number; sinceMs: number; retry: NodeJS.Timeout | null } | null = null

  function lose(lines: number, reason: string): void {
    if (lost === 0 && lines > 0) onFirstLost(reason)
    lost += lines
  }

  /** Takes all waiting lines, as bytes. After half a line they begin on a new line. */
  function takeWaiting(): Buffer {
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${waiting.join('')}`)
    waiting = []
    waitingLength = 0
    return bytes
  }

  function giveUp(bytes: Buffer, from: number, reason: string): void {
    const isUntouched = from === 0
    const lines = countLines(bytes, from) - (isUntouched && isTorn ? 1 : 0)
    if (!isUntouched) isTorn = bytes[from - 1] !== lineEnd
    lose(lines, reason)
  }

  function send(): void {
    if (sending === null) {
      if (waiting.length === 0) return
      sending = { bytes: takeWaiting(), from: 0, sinceMs: 0, retry: null }
    }
    const current = sending
    current.retry = null
    current.sinceMs = performance.now()
    write(fd, current.bytes, current.from, (error, written) => {
      if (error?.code === 'EAGAIN') {
        current.retry = setTimeout(send, retryMs).unref()
        return
      }
      if (error === null) current.from += written
      if (error === null && current.from < current.bytes.length) return send()
      if (error === null) isTorn = false
      else giveUp(current.bytes, current.from, error.code ?? error.message)
      sending = null
      send()
    })
  }

  return {
    lostLines: () => lost,
    write(line) {
      if (waitingLength + line.length > longestWaiting) return lose(1, 'its reader is behind')
      waiting.push(line)
      waitingLength += line.length
      if (sending === null) send()
    },
    flush() {
      const isInSystem = sending !== null && sending.retry === null
      if (isInSystem && performance.now() - (sending?.sinceMs ?? 0) > stuckMs) return
      if (sending !== null && !isInSystem) writeAll(fd, sending.bytes.subarray(sending.from))
      writeAll(fd, takeWaiting())
    },
  }
}

/**
 * Returns a descriptor of the same pipe or terminal that does not block; the same descriptor for anything else, and where the system does
 * not allow it. A write to a blocking one whose reader has stalled would stop the whole process, and also keep it from ending. The mode of
 * the given descriptor is left alone, since other processes share it.
 */
function openUnblocked(fd: number): number {
  try {
    const stats = fstatSync(fd)
    if (!stats.isFIFO() && !stats.isCharacterDevice()) return fd
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}

const standardError = openUnblocked(2)

/** Writes to standard error synchronously, if possible. */
export function writeError(text: string): void {
  writeAll(standardError, Buffer.from(text))
}

/** The output of the log: one per process, as there is one standard output. */
export const standardOutput: LineOutput = openLineOutput(openUnblocked(1), (reason) =>
  writeError(`tracewright: cannot write the log to standard output (${reason}); its lines are lost while that lasts\n`),
)
process.once('exit', standardOutput.flush)

function countLines(bytes: Buffer, from: number): number {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd, from); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1
  return lines
}

function writeAll(fd: number, bytes: Buffer): void {
  const untilMs = performance.now() + flushMs
  let from = 0
  while (from < bytes.length) {
    try {
      from += writeSync(fd, bytes, from)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= untilMs) return
      Atomics.wait(pause, 0, 0, retryMs)
    }
  }
}

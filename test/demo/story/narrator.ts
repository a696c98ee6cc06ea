// How the story is told: short lines, each with the time since it began.
import { styleText } from 'node:util'

export type Narrator = {
  /** Begins a part of the story. */
  act(title: string): void
  /** A line without a time. */
  say(text?: string): void
  /** What has just happened. */
  tell(text: string): void
}

const secondMs = 1_000
const minuteS = 60

export function openNarrator(write: (text: string) => void): Narrator {
  const startedAtMs = performance.now()
  const clock = (): string => {
    const seconds = Math.floor((performance.now() - startedAtMs) / secondMs)
    return `${Math.floor(seconds / minuteS)}:${String(seconds % minuteS).padStart(2, '0')}`
  }
  const say = (text = ''): void => write(`${text}\n`)
  return {
    say,
    // Plain where standard output is no terminal.
    act: (title) => say(`\n${styleText('bold', title)}`),
    tell: (text) => say(`  ${clock().padStart(5)}  ${text}`),
  }
}

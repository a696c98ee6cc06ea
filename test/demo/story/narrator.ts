// Prints the story: short lines, each with the time since it began.
import { styleText } from 'node:util'

export type Narrator = {
  /** Begins an act of the story. */
  act(title: string): void
  /** Prints a line without a time. */
  say(text?: string): void
  /** Prints an event with its time. */
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
    // Plain text if standard output is not a terminal.
    act: (title) => say(`\n${styleText('bold', title)}`),
    tell: (text) => say(`  ${clock().padStart(5)}  ${text}`),
  }
}

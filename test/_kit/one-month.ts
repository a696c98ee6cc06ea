// For tests of what is counted by month, of which some would fail in the first seconds of a month.
import type { ExecutionContext } from 'ava'

/** Returns a test that runs again if a month (UTC) ended meanwhile. `run` makes its own workspace, and with it its own counts. */
export const inOneMonth =
  (run: (t: ExecutionContext) => Promise<void>) =>
  async (t: ExecutionContext): Promise<void> => {
    for (;;) {
      const month = readMonth()
      const attempt = await t.try(run)
      if (readMonth() === month) return attempt.commit()
      attempt.discard()
    }
  }

const readMonth = (): string => new Date().toISOString().slice(0, 'yyyy-mm'.length)

// What runs before and after each test of one file. ava's own hooks run for the tests of all files that share a process.
import ava, { type ExecutionContext } from 'ava'

export type SerialTests = Pick<typeof ava, 'before' | 'after'> & {
  serial(title: string, run: (t: ExecutionContext) => unknown): void
}

/** Takes the place of `test` of ava in a file that prepares each of its tests. `end` runs last, where `prepare` has succeeded. */
export const around = (prepare: () => unknown, end: () => unknown = () => undefined): SerialTests => ({
  before: ava.before,
  after: ava.after,
  serial: (title, run) =>
    ava.serial(title, async (t) => {
      await prepare()
      t.teardown(async () => void (await end()))
      await run(t)
    }),
})

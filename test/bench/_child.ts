// Communicates with a child process of a bench, one answer for each question. The load runs in another process, since it must not share a
// thread with what it measures.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export type Child = {
  readonly pid: number
  ask<Answer>(question: object): Promise<Answer>
  end(): Promise<void>
}

const longestLifeMs = 600_000

/** Forks a file of this folder that answers through `answerParent`. */
export function startChild(file: string): Child {
  const child: ChildProcess = fork(new URL(file, import.meta.url), { serialization: 'advanced', stdio: 'inherit' })
  const killer = setTimeout(() => child.kill('SIGKILL'), longestLifeMs)
  const exited = once(child, 'exit').finally(() => clearTimeout(killer))
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: object): Promise<Answer> {
      child.send(question)
      const [answer] = (await Promise.race([
        once(child, 'message'),
        exited.then(() => [{ error: `${file} has ended` }]),
      ])) as [{ error?: string; answer?: Answer }]
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer.answer as Answer
    },
    async end() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** In the child: answers each question of the parent. */
export function answerParent(answer: (question: never) => Promise<unknown>): void {
  process.on('message', (question) => {
    answer(question as never).then(
      (value) => process.send?.({ answer: value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : 'it failed' }),
    )
  })
  process.on('disconnect', () => process.exit())
}

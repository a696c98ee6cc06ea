// Reviews pull requests: a large model, a diff that is cached between its turns, and files that are read repeatedly.
import { openTelemetry } from '../dialects/opentelemetry.ts'
import { models } from '../models.ts'
import type { ToolTold } from '../telling.ts'
import { type DemoAgent, overloaded } from './agent.ts'

const files = ['src/api/orders.ts', 'src/api/router.ts', 'src/db/pool.ts', 'src/queue/worker.ts', 'src/mail/send.ts']

export const codeReviewer: DemoAgent = {
  service: 'engineering',
  version: '1.19.3',
  share: 14,
  sessionsPerDay: 18,
  dialect: openTelemetry,
  work(run, chance, { session, user }) {
    run.agent({ name: 'code-reviewer', session, user, task: 'code.review' }, () => {
      const model = models.sonnet
      const question = `Review pull request #${chance.between(1_200, 1_900)}`
      const diff = chance.around(14_000)
      let consumed: ToolTold[] = []
      let kept = 0
      const turns = chance.between(2, 5)
      for (let turn = 0; turn < turns; turn++) {
        const path = chance.pick(files)
        const read = { id: run.id('toolu'), name: 'read_file', arguments: { path, ref: 'main' }, result: `// ${path}` }
        const input = diff + turn * 1_800
        const cacheWrite = input - kept - 40
        if (chance.chance(0.02)) run.call({ model, question, answer: '', input, output: 0 }, overloaded)
        const output = chance.around(220)
        run.call({ model, question, answer: '', input, output, cached: kept, cacheWrite, consumed, wants: [read] })
        kept = input - 40
        run.tool(read, chance.around(40))
        consumed = [read]
      }
      const tests = {
        id: run.id('toolu'),
        name: 'run_tests',
        arguments: { suite: chance.pick(['unit', 'api', 'queue']) },
        result: { passed: chance.between(80, 420), failed: 0 },
      }
      const input = diff + turns * 1_800
      const cacheWrite = input - kept - 40
      run.call({ model, question, answer: '', input, output: 90, cached: kept, cacheWrite, consumed, wants: [tests] })
      const isRed = chance.chance(0.12)
      if (isRed) run.tool(tests, chance.around(38_000), { type: 'exit_1', message: '3 tests failed' })
      else run.tool(tests, chance.around(24_000))
      const comment = {
        id: run.id('toolu'),
        name: 'post_review',
        arguments: { verdict: isRed ? 'request_changes' : 'approve', comments: chance.between(0, 6) },
        result: { ok: true },
      }
      const last = { model, question, input: input + 600, cached: input - 40, cacheWrite: 560, consumed: [tests] }
      run.call({ ...last, answer: '', output: chance.around(900), wants: [comment], streams: true })
      run.tool(comment, chance.around(300))
      return undefined
    })
  },
}

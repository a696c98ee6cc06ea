// Summarizes meetings on an in-house model without a price: its tokens are known, its cost is not.
import { openTelemetry } from '../dialects/opentelemetry.ts'
import { models } from '../models.ts'
import type { DemoAgent } from './agent.ts'

export const meetingScribe: DemoAgent = {
  service: 'office',
  version: '1.0.2',
  share: 4,
  sessionsPerDay: 8,
  dialect: openTelemetry,
  work(run, chance, { session, user }) {
    run.agent({ name: 'meeting-scribe', session, user, task: 'meeting.summary' }, () => {
      const model = models.houseNotes
      const parts = chance.between(1, 4)
      for (let part = 1; part <= parts; part++) {
        const question = `Sum up part ${part} of the meeting`
        run.call({
          model,
          question,
          answer: 'Three decisions',
          input: chance.around(5_200),
          output: chance.around(300),
        })
      }
      const last = { model, question: 'Minutes of the meeting', answer: 'Minutes', streams: true }
      run.call({ ...last, input: 400 * parts, output: chance.around(520) })
      return undefined
    })
  },
}

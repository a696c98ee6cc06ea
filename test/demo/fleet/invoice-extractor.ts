// Reads invoices as they arrive, in the conventions of the Vercel AI SDK: one call each, occasionally a second one.
import { vercel } from '../dialects/vercel.ts'
import { models } from '../models.ts'
import { type DemoAgent, rateLimited } from './agent.ts'

const suppliers = ['Nordlicht Papier', 'Fabrik 12', 'Quint Transport', 'Alba Foods', 'Sole Mio']

export const invoiceExtractor: DemoAgent = {
  service: 'back-office',
  version: '3.1.0',
  share: 16,
  sessionsPerDay: 0,
  dialect: vercel,
  work(run, chance, { session, user }) {
    run.agent({ name: 'invoice-extractor', session, user, task: 'invoice.extract' }, () => {
      const model = models.gpt4o
      const supplier = chance.pick(suppliers)
      const question = `Fields of an invoice by ${supplier}`
      const input = chance.around(2_900)
      for (let retry = 0; chance.chance(0.05); retry++) {
        run.call({ model, question, answer: '', input, output: 0 }, rateLimited)
        if (retry === 2) return rateLimited
        run.wait(2_000 * (retry + 1))
      }
      const number = `R-${chance.between(1_000, 9_999)}`
      const found = JSON.stringify({ supplier, number, total: chance.between(20, 4_000) })
      run.call({ model, question, answer: found, input, output: chance.around(180), cached: 1_024 })
      const vat = {
        id: run.id('call'),
        name: 'validate_vat_id',
        arguments: { supplier },
        result: { valid: true },
      }
      run.tool(vat, chance.around(260))
      if (chance.chance(0.1))
        run.call({ model, question, answer: found, input: input + 240, output: 190, cached: 1_024 })
      return undefined
    })
  },
}

// Answers questions over a database, in OpenInference's conventions: SQL that fails and is corrected, a schema fetched every time.
import { openInference } from '../dialects/openinference.ts'
import { models } from '../models.ts'
import type { ToolTold } from '../telling.ts'
import type { DemoAgent } from './agent.ts'

const questions = [
  { text: 'Revenue by week?', sql: "select date_trunc('week', paid_at), sum(amount) from orders group by 1" },
  {
    text: 'Top ten customers?',
    sql: 'select customer_id, sum(amount) from orders group by 1 order by 2 desc limit 10',
  },
  { text: 'Returns by reason?', sql: 'select reason, count(*) from returns group by 1' },
  { text: 'Open invoices?', sql: 'select count(*), sum(amount) from invoices where paid_at is null' },
]

export const dataAnalyst: DemoAgent = {
  service: 'analytics',
  version: '2.0.4',
  share: 12,
  sessionsPerDay: 20,
  dialect: openInference,
  work(run, chance, { session, user }) {
    run.agent({ name: 'data-analyst', session, user, task: 'data.question' }, () => {
      const model = models.haiku
      const { text: question, sql } = chance.pick(questions)
      const schema = {
        id: run.id('toolu'),
        name: 'get_schema',
        arguments: { database: 'shop' },
        result: 'orders(…), …',
      }
      run.call({ model, question, answer: '', input: chance.around(900), output: 35, wants: [schema] })
      run.tool(schema, chance.around(220))
      let consumed: ToolTold[] = [schema]
      for (let attempt = 1; ; attempt++) {
        const query = {
          id: run.id('toolu'),
          name: 'run_sql',
          arguments: { sql },
          result: { rows: chance.between(1, 50) },
        }
        const call = { model, question, answer: '', cached: 2_048, consumed, wants: [query] }
        run.call({ ...call, input: 2_400 + attempt * 300, output: chance.around(110) })
        const isBroken = chance.chance(0.22)
        if (!isBroken) {
          run.tool(query, chance.around(650))
          const answer = { model, question, answer: 'Here is the table.', consumed: [query], cached: 2_048 }
          run.call({ ...answer, input: 3_100 + attempt * 300, output: chance.around(240) })
          return undefined
        }
        const failure = { type: 'sql_error', message: 'column "amount" must appear in the GROUP BY clause' }
        run.tool(query, chance.around(90), failure)
        consumed = [query]
        if (attempt === 4) return failure
      }
    })
  },
}

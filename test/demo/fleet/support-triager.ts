// Answers customers: a small model, a shared cached prompt, and a help centre that gets the same few queries all day.

import { openTelemetry } from '../dialects/opentelemetry.ts'
import { models } from '../models.ts'
import { sealResult } from '../stored-result.ts'
import { type DemoAgent, rateLimited, timedOut } from './agent.ts'

const topics = [
  { query: 'refund policy', article: 'Refunds are paid back within 14 days of the return.' },
  { query: 'reset password', article: 'Choose "Forgot password" and follow the link we mail you.' },
  { query: 'change delivery address', article: 'Orders can be redirected until they leave the warehouse.' },
  { query: 'invoice copy', article: 'Every invoice is listed under Account, Billing.' },
  { query: 'cancel subscription', article: 'Subscriptions end with the month that is paid for.' },
  { query: 'damaged parcel', article: 'Send a photo within 7 days and we replace the item.' },
]

// Every call repeats the same instructions and tools: usually the provider has them cached.
const instructions = 2_304

export const supportTriager: DemoAgent = {
  service: 'support',
  version: '4.2.0',
  share: 34,
  sessionsPerDay: 60,
  dialect: openTelemetry,
  work(run, chance, { session, user }) {
    // The first topics are requested far more often than the last.
    const topic = topics[Math.min(chance.int(topics.length), chance.int(topics.length))] ?? topics[0]
    if (topic === undefined) return
    run.agent({ name: 'support-triager', session, user, task: 'support.reply' }, () => {
      const model = models.gpt4oMini
      const cached = chance.chance(0.82) ? instructions : 0
      const question = `I need help with: ${topic.query}`
      const search = {
        id: run.id('call'),
        name: 'search_help_centre',
        arguments: { query: topic.query, limit: 3 },
        result: [{ title: topic.query, text: topic.article }],
      }
      const customer = {
        id: run.id('call'),
        name: 'get_customer',
        arguments: { user_id: user },
        result: { user_id: user, plan: chance.pick(['free', 'plus', 'family']), open_orders: chance.int(3) },
      }
      const input = instructions + chance.around(260)
      if (chance.chance(0.03)) {
        run.call({ model, question, answer: '', input, output: 0 }, rateLimited)
        run.wait(chance.between(1_000, 4_000))
      }
      run.call({ model, question, answer: '', input, output: chance.around(45), cached, wants: [search, customer] })
      run.tool({ ...search, stored: sealResult(chance, search.result) }, chance.around(180))
      run.tool(customer, chance.around(60))
      const consumed = [search, customer]
      const answer = `${topic.article} Is there anything else?`
      // The customer's record is fetched every time, and hardly ever affects the answer.
      const read = chance.chance(0.04) ? consumed : [search]
      const longer = input + 420
      const reply = { model, question, input: longer, cached, consumed, read, streams: true }
      if (chance.chance(0.88)) {
        run.call({ ...reply, answer, output: chance.around(140) })
        return undefined
      }
      const ticket = {
        id: run.id('call'),
        name: 'create_ticket',
        arguments: { user_id: user, subject: topic.query, priority: chance.pick(['low', 'normal', 'high']) },
        result: { ticket: `T-${chance.between(10_000, 99_999)}` },
      }
      run.call({ ...reply, answer: '', output: chance.around(60), wants: [ticket] })
      if (chance.chance(0.2)) run.tool(ticket, 10_000, timedOut)
      run.tool(ticket, chance.around(350))
      const done = { ...reply, input: longer + 120, consumed: [...consumed, ticket], read: [ticket] }
      run.call({ ...done, answer: 'I have opened a ticket for you.', output: chance.around(50) })
      return undefined
    })
  },
}

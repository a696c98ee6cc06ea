// Writes to prospects: repeats look-ups of the day before, and fetches office hours that it never uses.
import { openTelemetry } from '../dialects/opentelemetry.ts'
import { models } from '../models.ts'
import { sealResult } from '../stored-result.ts'
import { type DemoAgent, timedOut } from './agent.ts'

const companies = ['Lindqvist AB', 'Maris & Co', 'Studio Orso', 'Halm GmbH', 'Pelican Foods', 'Tern Logistics']

export const salesOutreach: DemoAgent = {
  service: 'sales',
  version: '0.4.7',
  share: 8,
  sessionsPerDay: 9,
  dialect: openTelemetry,
  work(run, chance, { session, user }) {
    run.agent({ name: 'sales-outreach', session, user, task: 'sales.letter' }, () => {
      const model = models.mistralLarge
      const company = chance.pick(companies)
      const question = `Write to ${company}`
      const hours = {
        id: run.id('call'),
        name: 'get_office_hours',
        arguments: { company },
        result: { opens: '08:00', closes: '17:00' },
      }
      const profile = {
        id: run.id('call'),
        name: 'lookup_company',
        arguments: { name: company },
        result: { name: company, employees: company.length * 10, industry: 'wholesale' },
      }
      const wants = [hours, profile]
      run.call({ model, question, answer: '', input: chance.around(1_100), output: chance.around(70), wants })
      run.tool({ ...hours, stored: sealResult(chance, hours.result) }, chance.around(420))
      const isSlow = chance.chance(0.06)
      if (isSlow) run.tool(profile, 10_000, timedOut)
      run.tool({ ...profile, stored: sealResult(chance, profile.result) }, chance.around(800))
      const letter = { model, question, answer: `Dear people of ${company}`, consumed: wants, read: [profile] }
      run.call({ ...letter, input: chance.around(1_900), output: chance.around(420), streams: true })
      const mail = { id: run.id('call'), name: 'send_mail', arguments: { to: company }, result: { queued: true } }
      run.tool(mail, chance.around(150))
      return undefined
    })
  },
}

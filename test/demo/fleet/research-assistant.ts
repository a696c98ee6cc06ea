// Writes briefings: plans with a reasoning model, and starts sub-agents that search, read and write for it.
import type { Chance } from '../chance.ts'
import { openTelemetry } from '../dialects/opentelemetry.ts'
import { models } from '../models.ts'
import type { Run } from '../run.ts'
import { type DemoAgent, timedOut, type Who } from './agent.ts'

const subjects = ['battery recycling', 'heat pumps in old houses', 'port automation', 'soil sensors', 'night trains']
const sites = ['energy.example.org', 'journal.example.edu', 'stats.example.gov', 'news.example.com']

function search(run: Run, chance: Chance, subject: string, { session, user }: Who): void {
  run.agent({ name: 'web-searcher', session, user, task: 'research.search' }, () => {
    const model = models.flash
    const query = `${subject} ${chance.pick(['costs', 'statistics', 'regulation', 'vendors'])}`
    const web = {
      id: run.id('call'),
      name: 'web_search',
      arguments: { query },
      result: sites.map((site) => `https://${site}/${subject.replaceAll(' ', '-')}`),
    }
    run.call({ model, question: query, answer: '', input: chance.around(900), output: 40, wants: [web] })
    run.tool(web, chance.around(700))
    const pages = Array.from({ length: chance.between(1, 3) }, () => ({
      id: run.id('call'),
      name: 'fetch_page',
      arguments: { url: `https://${chance.pick(sites)}/${subject.replaceAll(' ', '-')}` },
      result: `A page about ${subject}`,
    }))
    run.call({ model, question: query, answer: '', input: 1_600, output: 80, consumed: [web], wants: pages })
    for (const page of pages) {
      const isSlow = chance.chance(0.09)
      if (isSlow) run.tool(page, 10_000, timedOut)
      else run.tool(page, chance.around(900))
    }
    run.embed(models.embedding3Small, query, chance.between(6, 20))
    run.retrieve({ source: 'briefings', query, documents: ['b-104', 'b-221', 'b-317'] }, chance.around(35))
    const read = pages.slice(0, 1)
    const input = chance.around(7_000)
    run.call({ model, question: query, answer: 'Findings in five lines', input, output: 380, consumed: pages, read })
    return undefined
  })
}

export const researchAssistant: DemoAgent = {
  service: 'research',
  version: '0.9.1',
  share: 10,
  sessionsPerDay: 12,
  dialect: openTelemetry,
  work(run, chance, who) {
    const subject = chance.pick(subjects)
    run.agent({ name: 'research-assistant', session: who.session, user: who.user, task: 'research.brief' }, () => {
      const question = `Brief me on ${subject}`
      const plan = { model: models.gpt5, question, answer: 'A plan in three steps', input: chance.around(1_400) }
      const thought = chance.around(1_100)
      run.call({ ...plan, output: thought + 260, reasoning: thought })
      for (let step = chance.between(2, 4); step > 0; step--) search(run, chance, subject, who)
      run.agent({ name: 'writer', session: who.session, user: who.user, task: 'research.write' }, () => {
        const draft = { model: models.sonnet, question, input: chance.around(9_000), streams: true }
        run.call({ ...draft, answer: `A briefing on ${subject}`, output: chance.around(1_500) })
        return undefined
      })
      const check = { model: models.gpt5, question: 'Is every claim backed by a source?', answer: 'Yes' }
      const doubt = chance.around(700)
      run.call({ ...check, input: chance.around(6_000), output: doubt + 40, reasoning: doubt })
      return undefined
    })
  },
}

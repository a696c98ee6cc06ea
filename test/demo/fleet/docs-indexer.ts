// Maintains the search index of the help centre: bulk embeddings, no chat model.
import { openTelemetry } from '../dialects/opentelemetry.ts'
import { models } from '../models.ts'
import type { DemoAgent } from './agent.ts'

export const docsIndexer: DemoAgent = {
  service: 'indexing',
  version: '5.5.0',
  share: 4,
  sessionsPerDay: 0,
  dialect: openTelemetry,
  work(run, chance, { session, user }) {
    run.agent({ name: 'docs-indexer', session, user, task: 'docs.index' }, () => {
      const list = {
        id: run.id('call'),
        name: 'list_changed_pages',
        arguments: { since: '1 h' },
        result: { pages: chance.between(1, 8) },
      }
      run.tool(list, chance.around(90))
      for (let page = list.result.pages; page > 0; page--) {
        run.embed(models.embedding3Small, 'A page of the help centre', chance.around(1_300))
      }
      return undefined
    })
  },
}

// The dashboard's types of the API match the document that the service serves.
import { readFileSync } from 'node:fs'
import test from 'ava'
import { renderApiTypes } from '../../dashboard/scripts/render-api-types.ts'
import { startService } from '../_kit/serve.ts'

const committed = readFileSync(new URL('../../dashboard/src/api/schema.ts', import.meta.url), 'utf8')

test('the types are up to date', async (t) => {
  const service = await startService()
  try {
    const { text } = await service.call('GET', '/openapi.json', { token: null })
    const rendered = await renderApiTypes(text)
    t.true(
      rendered === committed,
      'run `npm run types --workspace dashboard -- <address of the service>` and commit schema.ts',
    )
    t.not(await renderApiTypes(text.replace('"/v1/meta"', '"/v1/renamed"')), committed)
  } finally {
    await service.stop()
  }
})

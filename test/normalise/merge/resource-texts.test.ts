import test from 'ava'
import { mergedDialects } from '../../../src/normalise/registry.ts'
import { toMap } from '../_span.ts'

test('resources that take turns keep their own texts', (t) => {
  const { readResource } = mergedDialects
  const [one, other] = [toMap({ 'service.name': 'one' }), toMap({ 'service.name': 'other', 'service.version': '2' })]
  for (const resource of [one, one, other, one, other]) {
    const { agent, version } = readResource(resource)
    t.deepEqual([agent, version], resource === one ? ['one', null] : ['other', '2'])
  }
})

import test from 'ava'
import { openRecentRequests } from '../../src/ingest/recent-requests.ts'

const request = { spans: 5, withheldSpans: 0, timeline: '00000001' }

test('a workspace with many requests forgets its own oldest ones, and no others', (t) => {
  const recent = openRecentRequests()
  recent.add('small', 'of the small one', request)
  for (let nth = 0; nth < 20_000; nth++) recent.add('large', `large ${nth}`, request)
  t.like(recent.find('of the small one'), request)
  t.is(recent.find('large 17951'), null)
  t.like(recent.find('large 17952'), request)
  t.like(recent.find('large 19999'), request)
})

test('a request that is stored again has its place once', (t) => {
  const recent = openRecentRequests()
  for (let nth = 0; nth < 3_000; nth++) recent.add('one', 'same', { ...request, timeline: String(nth) })
  for (let nth = 0; nth < 2_047; nth++) recent.add('one', `other ${nth}`, request)
  t.like(recent.find('same'), { timeline: '2999' })
  recent.add('one', 'one more', request)
  t.is(recent.find('same'), null)
  recent.forget()
  t.is(recent.find('one more'), null)
  recent.add('one', 'one more', request)
  t.like(recent.find('one more'), request)
})

// Content negotiation: which form of an answer a client prefers.
import test from 'ava'
import { acceptsCoding, prefersHtml } from '../../src/web/preferences.ts'

test('a coding is accepted if it is named with a weight above 0', (t) => {
  for (const text of ['gzip', 'br, GZIP', 'gzip;q=0.001', 'gzip ; q=1', 'gzip;level=9'])
    t.true(acceptsCoding(['gzip'], text), text)
  for (const text of [undefined, '', '*', 'gzip;q=0', 'gzip;q=0.000', 'gzip;q=no', 'gzipped', 'x gzip'])
    t.false(acceptsCoding(['gzip'], text), text)
})

test('HTML is preferred to JSON by weight, then by the more specific name', (t) => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  for (const text of [browser, 'text/html', 'text/*', 'text/html, */*', 'application/json;q=0.1, */*;q=0.2'])
    t.true(prefersHtml(text, false), text)
  for (const text of [
    'application/json',
    'text/html;q=0, */*;q=0.1',
    'image/png',
    '',
    'application/json, text/html;q=0.9',
  ])
    t.false(prefersHtml(text, true), text)
  for (const text of [undefined, '*/*', 'text/html, application/json'])
    for (const tie of [true, false]) t.is(prefersHtml(text, tie), tie, text)
})

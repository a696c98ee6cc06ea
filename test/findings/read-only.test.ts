import test from 'ava'
import { isServable, looksReadOnly } from '../../src/findings/read-only.ts'

const readers = [
  'search',
  'get_profile',
  'getProfile',
  'GetURL',
  'HTTPGet',
  'list-issues',
  'github.fetch',
  'web_search',
  'lookup_company',
  'lookUpCompany',
  'look-up',
  'find2',
  'kb/query',
  'mcp__github__get_issue',
  'mcp__post_office__list_rates',
]
const others = [
  'send_mail',
  'post_review',
  'run_tests',
  'get_or_create_user',
  'findAndReplace',
  'query.update',
  'mcp__search_server__delete_page',
  'mcp__files__write',
  'research',
  'target',
  'prefetcher',
  'budget',
  'weather',
  'runQuery',
  '',
]

for (const name of readers) test(`“${name}” looks read-only`, (t) => t.true(looksReadOnly(name, null)))
for (const name of others) test(`“${name}” does not look read-only`, (t) => t.false(looksReadOnly(name, null)))

test('an attested tool is servable under a neutral name, and never under a name of an effect', (t) => {
  t.true(isServable('exchange_rates', null, true))
  t.false(isServable('exchange_rates', null, false))
  t.false(isServable('send_mail', null, true))
  t.true(isServable('get_rates', null, false))
})

test('what the spans state takes precedence over the name and the attestation', (t) => {
  t.true(looksReadOnly('exchange_rates', true))
  t.true(looksReadOnly('post_office_hours', true))
  t.false(looksReadOnly('get_and_reserve_seat', false))
  t.false(looksReadOnly('get_ticket', false))
  t.true(isServable('post_office_hours', true, false))
  t.false(isServable('get_ticket', false, false))
  t.false(isServable('get_ticket', false, true))
})

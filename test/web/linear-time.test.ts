// Headers and parameters are read in linear time: otherwise a single request of 8 KiB would stop the process for all other clients.
import test from 'ava'
import { acceptsCoding, prefersHtml } from '../../src/web/preferences.ts'
import { readQuery } from '../../src/web/read-query.ts'
import { booleanParam, intParam, positiveNumberParam, timestamp, uuid } from '../../src/web/shapes.ts'
import { timeZoneParam } from '../../src/web/time-zone.ts'
import { findGrowthFault } from '../_kit/looks.ts'

type Case = {
  readonly name: string
  readonly read: (text: string) => unknown
  readonly beginnings: readonly string[]
  /** Each is repeated; chosen to make a backtracking pattern restart repeatedly. */
  readonly units: readonly string[]
}

const size = 16_384
const header = { units: [' ', ',', ';q=', '"a",'] }
const parameter = { beginnings: ['', '1', '.'], units: [' ', '1', '.', 'a', '/a'] }

const cases: readonly Case[] = [
  { name: 'Accept-Encoding', read: (text) => acceptsCoding(['gzip'], text), beginnings: ['', 'gzip'], ...header },
  { name: 'Accept', read: (text) => prefersHtml(text, false), beginnings: ['"', 'text/html'], ...header },
  {
    name: 'query',
    read: (text) => readQuery({ querystring: text }),
    beginnings: ['', 'a='],
    units: ['a&', '&', '%', '+'],
  },
  { name: 'number', read: (text) => positiveNumberParam.safeParse(text), ...parameter },
  { name: 'integer', read: (text) => intParam(0, 9).safeParse(text), ...parameter },
  { name: 'boolean', read: (text) => booleanParam.safeParse(text), ...parameter },
  { name: 'timestamp', read: (text) => timestamp.safeParse(text), ...parameter },
  { name: 'uuid', read: (text) => uuid.safeParse(text), ...parameter },
  { name: 'time zone', read: (text) => timeZoneParam.safeParse(text), ...parameter },
]

for (const { name, read, beginnings, units } of cases)
  test(`${name}: every text is read in linear time`, (t) => {
    for (const beginning of beginnings)
      for (const unit of units) {
        const work = (length: number): unknown => read(`${beginning}${unit.repeat(length / unit.length)}x`)
        t.is(findGrowthFault(work, size), null, `${beginning} ${unit}`)
      }
  })

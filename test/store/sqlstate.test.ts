import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { guard } from '../../src/store/ask.ts'
import { isDataFault, isTransient, readSqlstate } from '../../src/store/sqlstate.ts'

const withCode = (code: string): Error => Object.assign(new Error('x'), { code })

test('every error of a socket is an outage, also EPIPE, which has the form of a SQLSTATE', async (t) => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']) {
    t.true(isTransient(withCode(code)), code)
    t.is(readSqlstate(withCode(code)), null, code)
    await t.throwsAsync(
      guard(async () => await Promise.reject(withCode(code))),
      { instanceOf: Outage },
    )
  }
})

test('a server that restarts, is full, is a standby, or ends a session is an outage; bad data and bad SQL are not', (t) => {
  for (const code of ['57P01', '57P03', '53300', '40P01', '08006', '25P03', '55P03', '25006', '55000'])
    t.true(isTransient(withCode(code)), code)
  for (const code of ['22021', '23505', '54000', '42P01', '25P02']) t.false(isTransient(withCode(code)), code)
})

test('an error is a data fault if the data is refused or too large for an index', (t) => {
  for (const code of ['22021', '22003', '23502', '54000']) t.true(isDataFault(withCode(code)), code)
  for (const code of ['42P01', '57014', 'EPIPE']) t.false(isDataFault(withCode(code)), code)
})

test('a login that PostgreSQL refuses is an outage that says so, and not a lack of privileges', async (t) => {
  const reject = async (code: string): Promise<unknown> => await guard(async () => await Promise.reject(withCode(code)))
  for (const code of ['28000', '28P01'])
    await t.throwsAsync(reject(code), {
      instanceOf: Outage,
      message: 'PostgreSQL refuses the user or the password of the database URL',
    })
  t.false((await t.throwsAsync(reject('42501'))) instanceof Outage)
})

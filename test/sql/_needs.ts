// The privileges that a statement needs on each table, as PostgreSQL itself determines them.
import type pg from 'pg'

export type Need = { readonly table: string; readonly privilege: 'select' | 'insert' | 'update' | 'delete' }

// The bits of an access control list, from nodes/parsenodes.h.
const bits = [
  [1, 'insert'],
  [2, 'select'],
  [4, 'update'],
  [8, 'delete'],
] as const

/** Prepares the statement and reads the parse tree that PostgreSQL prints, which lists the privileges that will be checked for every table. */
export async function readNeeds(client: pg.Client, name: string, text: string): Promise<Need[]> {
  const told: string[] = []
  const listen = (notice: { message?: string | undefined; detail?: string | undefined }): void =>
    void told.push(notice.detail ?? notice.message ?? '')
  client.on('notice', listen)
  try {
    await client.query('set client_min_messages = log; set debug_print_parse = on')
    await client.query(`prepare "${name}" as ${text}`)
  } finally {
    await client.query('set debug_print_parse = off; reset client_min_messages')
    client.off('notice', listen)
  }
  const tree = told.find((one) => one.includes('RTEPERMISSIONINFO')) ?? ''
  const wanted = [...tree.matchAll(/\{RTEPERMISSIONINFO\s+:relid (\d+)\s+:inh \w+\s+:requiredPerms (\d+)/g)]
  const { rows } = await client.query<{ oid: number; relname: string }>(
    'select oid::int, relname from pg_class where oid = any ($1::oid[])',
    [wanted.map(([, oid]) => oid)],
  )
  const names = new Map(rows.map(({ oid, relname }) => [String(oid), relname]))
  const needs = wanted.flatMap(([, oid = '', mask]) =>
    bits.flatMap(([bit, privilege]) => ((Number(mask) & bit) === 0 ? [] : [`${names.get(oid)} ${privilege}`])),
  )
  return [...new Set(needs)].map((need) => {
    const [table = '', privilege] = need.split(' ')
    return { table, privilege: privilege as Need['privilege'] }
  })
}

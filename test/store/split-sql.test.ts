import test from 'ava'
import { chooseStatements, hasTableVariants, splitStatements } from '../../src/store/split-sql.ts'
import { listFiles } from '../shape/_source.ts'

test('a semicolon ends a statement only outside literals, quoted names and comments', (t) => {
  const sql = `-- a comment; with one
create table a (note text default 'x;y''z;', "odd;name" int); -- and another;
do $$ begin perform 1; end $$;
create function f() returns void language plpgsql as $body$ begin execute $$select ';'$$; end $body$;
select E'it\\'s;', $1;
select 2`
  t.deepEqual(
    splitStatements(sql).map((statement) => statement.split('\n')[0]),
    [
      `create table a (note text default 'x;y''z;', "odd;name" int)`,
      'do $$ begin perform 1; end $$',
      "create function f() returns void language plpgsql as $body$ begin execute $$select ';'$$; end $body$",
      `select E'it\\'s;', $1`,
      'select 2',
    ],
  )
  t.deepEqual(splitStatements(' -- nothing\n;\n'), [])
})

test('the existing migrations split into statements that begin with a verb', (t) => {
  const files = listFiles(['sql/migrate'], ['.sql'])
  const odd = files.flatMap(({ text }) =>
    splitStatements(text).filter(
      (statement) => !/^(create|alter|insert|do|select|drop|comment|update|with)\b/i.test(statement),
    ),
  )
  t.deepEqual(odd, [])
  t.true(files.length >= 8)
})

test('statements for one kind of tables are left out for the other', (t) => {
  const sql =
    '-- All.\nselect 1;\n-- on chunks\nselect 2;\nselect 3;\n-- on plain tables\nselect 4;\n-- on chunks\nselect 5'
  t.deepEqual(chooseStatements(sql, true), ['select 1', 'select 2', 'select 3', 'select 5'])
  t.deepEqual(chooseStatements(sql, false), ['select 1', 'select 4'])
  t.deepEqual([hasTableVariants(sql), hasTableVariants('-- on chunks of wood\nselect 1')], [true, false])
  t.deepEqual(chooseStatements('select 1', true), ['select 1'])
})

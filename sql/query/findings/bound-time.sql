-- How long each of the statements that follow in this transaction may take, in milliseconds.
select set_config('statement_timeout', $1, true)

-- Sets after how many milliseconds PostgreSQL ends this transaction if its process sends nothing more.
select set_config('idle_in_transaction_session_timeout', $1::text, true)

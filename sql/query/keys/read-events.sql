-- keys revoked after event $1, one beyond $2 of them at most, and the last event of all: it is less than $1 where the database went back
-- index: key_events_pkey
with last as materialized (select coalesce(max(seq), 0) as seq from key_events)
select last.seq as last_seq, e.seq, encode(e.digest, 'hex') as digest_hex
from last left join key_events e on e.seq > $1 and e.seq <= last.seq
order by e.seq
limit $2 + 1

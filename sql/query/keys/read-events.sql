-- Lists up to $2 + 1 keys that were revoked after event $1. Also reads the mark of event $1, null where it is missing, and the last event
-- of all with its mark. A database that was restored to an earlier state has no event $1, or a different one.
-- index: key_events_pkey
with last as materialized (
  select seq, encode(digest, 'hex') || at as mark from key_events order by seq desc limit 1
)
select
  coalesce(last.seq, 0) as last_seq,
  last.mark as last_mark,
  (select encode(digest, 'hex') || at from key_events where seq = $1) as seen_mark,
  e.seq,
  encode(e.digest, 'hex') as digest_hex
from (values (true)) as one (row)
left join last on true
left join key_events e on e.seq > $1 and e.seq <= last.seq
order by e.seq
limit $2 + 1

-- What each request stored, and how many of its stored model calls have no price.
select batch_no, count(*) as stored, count(*) filter (where 'unpriced' = any (flags)) as unpriced
from stage
group by batch_no

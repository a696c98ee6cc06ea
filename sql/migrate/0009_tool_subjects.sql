-- What a rule about a tool must tell apart: the version of the tool, whose result it is, and what of it the customer attests.

-- `attested` says from now on that the same input gives the same result; until now it was the only claim.
alter table events
  add column tool_version text,
  add column scope_hash text,
  add column attested_unread boolean not null default false;

-- The instrumentation scope of a span, and how many parts of its usage it tells apart: by them, the spans of a call that several
-- instrumentations report are told from those of two calls. Null: the span has none, or was stored by an older release.
alter table events add column scope_name text, add column usage_detail smallint;

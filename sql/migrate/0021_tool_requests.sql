-- Tools that a model asked for, and those of them that no span of the trace reports as a call. Lines of text; null: none, or stored by an older
-- release.
alter table events add column tool_requests text, add column inferred_tools text;

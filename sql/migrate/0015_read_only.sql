-- Whether the sender of a tool call states that the tool is read-only. Null: it states nothing. Served calls state nothing.
alter table events add column read_only boolean;

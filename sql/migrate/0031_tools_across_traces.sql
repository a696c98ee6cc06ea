-- A tool that a model asks for in one trace and that a span of another trace reports is looked for where a workspace has traces of both kinds.

alter table workspaces
  -- a trace with a model call that asks for a tool which no span of the trace reports
  add column infers_tools boolean not null default false,
  -- a trace with calls of tools and none of models
  add column reports_tools_alone boolean not null default false;

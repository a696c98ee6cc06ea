-- The prices that workspaces set for models themselves: one list each, which is read and replaced as a whole.
create table workspace_prices (
  workspace_id uuid primary key,
  -- random, another one with every change: what is kept in memory or stands beside an event names a list that is never another one
  revision text not null,
  -- rows in the order given, as src/pricing/workspace-prices.ts has them
  prices jsonb not null check (jsonb_typeof(prices) = 'array')
);

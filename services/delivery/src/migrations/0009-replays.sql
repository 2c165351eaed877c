-- breaking: no
-- Bulk replays: the fold of each one's stream. next_turn: not before then may it open more. open_epochs: those whose outcome is not
-- counted yet. is_bulk: not of deliveries that were named one by one.
create table replays (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  webhook_id text collate "C",
  is_bulk boolean not null,
  next_turn timestamptz(3) not null,
  open_epochs integer not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- The list of a workspace, newest first, also of one status and of one subscription.
create index replays_list on replays (workspace_id, created desc, id desc);
create index replays_by_status on replays (workspace_id, status, created desc, id desc);
create index replays_by_webhook on replays (workspace_id, webhook_id, created desc, id desc);
-- What the workers look for: those that may open more, and those of which something ends.
create index replays_turn on replays (workspace_id, next_turn) where status in ('queued', 'running');
create index replays_uncounted on replays (id) where open_epochs > 0;
-- Whether one overlaps with a new one.
create index replays_open on replays (workspace_id) where status in ('queued', 'running', 'paused');

-- The epochs that a replay opened, until their outcome is counted.
create table replay_epochs (
  workspace_id text collate "C" not null,
  replay_id text collate "C" not null,
  delivery_id text collate "C" not null,
  event_day date not null,
  epoch int not null,
  primary key (workspace_id, replay_id, delivery_id)
);

alter table replays enable row level security, force row level security;
alter table replay_epochs enable row level security, force row level security;
create policy engine on replays to ${worker_role} using (true) with check (true);
create policy engine on replay_epochs to ${worker_role} using (true) with check (true);
create policy by_workspace on replays to ${http_role} using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));

grant select, insert, update on replays to ${http_role};
grant select on fan_out_queue to ${http_role};
grant select, update on replays to ${worker_role};
grant select, insert, delete on replay_epochs to ${worker_role};

import { sql, type Kysely } from 'kysely'

const issues = sql`
  create table issue (
    workspace_id uuid not null,
    id uuid not null,
    team_id uuid not null,
    number integer not null,
    title text not null,
    description json,
    description_markdown text not null default '',
    described boolean not null default false,
    criteria_met integer not null default 0,
    criteria_total integer not null default 0,
    state_id uuid not null,
    assignee_id uuid,
    assigned_at timestamptz(3),
    priority smallint not null default 0 check (priority between 0 and 4),
    estimate double precision,
    due_date date,
    sort_order double precision not null,
    parent_id uuid,
    created_by_id uuid not null,
    updated_by_id uuid not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    completed_at timestamptz(3),
    rev integer not null default 1,
    deleted_at timestamptz(3),
    primary key (workspace_id, id),
    unique (workspace_id, team_id, number),
    foreign key (workspace_id, team_id) references team (workspace_id, id),
    foreign key (workspace_id, state_id) references workflow_state (workspace_id, id),
    foreign key (workspace_id, assignee_id) references account (workspace_id, id),
    foreign key (workspace_id, parent_id) references issue (workspace_id, id),
    foreign key (workspace_id, created_by_id) references account (workspace_id, id),
    foreign key (workspace_id, updated_by_id) references account (workspace_id, id)
  );
  -- The orders of the board, each with the id to make it total.
  create index issue_updated on issue (workspace_id, updated_at desc, id desc) where deleted_at is null;
  create index issue_created on issue (workspace_id, created_at desc, id desc) where deleted_at is null;
  create index issue_number on issue (workspace_id, number desc, id desc) where deleted_at is null;
  create index issue_priority on issue (workspace_id, priority desc, id desc) where deleted_at is null;
  create index issue_state on issue (workspace_id, state_id, updated_at desc, id desc) where deleted_at is null;
  create index issue_assignee on issue (workspace_id, assignee_id, updated_at desc)
    where assignee_id is not null and deleted_at is null;
  create index issue_parent on issue (workspace_id, parent_id) where parent_id is not null;
`

const formerKeys = sql`
  -- Keys that an issue had before it moved to another team; they still find it.
  create table issue_former_key (
    workspace_id uuid not null,
    team_id uuid not null,
    number integer not null,
    issue_id uuid not null,
    primary key (workspace_id, team_id, number),
    foreign key (workspace_id, team_id) references team (workspace_id, id),
    foreign key (workspace_id, issue_id) references issue (workspace_id, id)
  );
`

const counters = sql`
  create table issue_counter (
    workspace_id uuid not null,
    team_id uuid not null,
    last integer not null,
    primary key (workspace_id, team_id),
    foreign key (workspace_id, team_id) references team (workspace_id, id)
  );
`

const labels = sql`
  create table issue_label (
    workspace_id uuid not null,
    issue_id uuid not null,
    label_id uuid not null,
    primary key (workspace_id, issue_id, label_id),
    foreign key (workspace_id, issue_id) references issue (workspace_id, id),
    foreign key (workspace_id, label_id) references label (workspace_id, id)
  );
  create index issue_label_label on issue_label (workspace_id, label_id, issue_id);
`

const relations = sql`
  create table issue_relation (
    workspace_id uuid not null,
    id uuid not null,
    issue_id uuid not null,
    related_issue_id uuid not null,
    type text not null check (type in ('BLOCKS', 'RELATED', 'DUPLICATE_OF', 'SIMILAR')),
    created_by_id uuid not null,
    created_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (workspace_id, id),
    foreign key (workspace_id, issue_id) references issue (workspace_id, id),
    foreign key (workspace_id, related_issue_id) references issue (workspace_id, id),
    foreign key (workspace_id, created_by_id) references account (workspace_id, id),
    check (issue_id <> related_issue_id)
  );
  create unique index issue_relation_once on issue_relation (workspace_id, issue_id, related_issue_id, type)
    where deleted_at is null;
  create index issue_relation_other on issue_relation (workspace_id, related_issue_id) where deleted_at is null;
`

const links = sql`
  create table issue_link (
    workspace_id uuid not null,
    id uuid not null,
    issue_id uuid not null,
    url text not null,
    title text not null,
    created_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (workspace_id, id),
    foreign key (workspace_id, issue_id) references issue (workspace_id, id)
  );
  create index issue_link_issue on issue_link (workspace_id, issue_id) where deleted_at is null;
`

const history = sql`
  create table issue_change (
    workspace_id uuid not null,
    id uuid not null,
    issue_id uuid not null,
    at timestamptz(3) not null,
    actor_id uuid not null,
    token_id uuid,
    change text not null,
    from_name text,
    to_name text,
    primary key (workspace_id, id),
    foreign key (workspace_id, issue_id) references issue (workspace_id, id),
    foreign key (workspace_id, actor_id) references account (workspace_id, id),
    foreign key (workspace_id, token_id) references token (workspace_id, id)
  );
  create index issue_change_issue on issue_change (workspace_id, issue_id, at, id);
  create index issue_change_actor on issue_change (workspace_id, actor_id, at);
`

const tallies = sql`
  -- How many issues there are in each state, so that a page of a large board need not count them.
  -- Spread over shards by connection: writers of different connections never wait for each other here.
  create table issue_tally (
    workspace_id uuid not null,
    team_id uuid not null,
    state_id uuid not null,
    shard smallint not null,
    n bigint not null,
    primary key (workspace_id, team_id, state_id, shard),
    foreign key (workspace_id, team_id) references team (workspace_id, id),
    foreign key (workspace_id, state_id) references workflow_state (workspace_id, id)
  ) with (fillfactor = 50);

  create function issue_tally_inserted() returns trigger language plpgsql as $$
  begin
    insert into issue_tally (workspace_id, team_id, state_id, shard, n)
      select workspace_id, team_id, state_id, pg_backend_pid() % 64, count(*)
      from inserted where deleted_at is null group by 1, 2, 3
      on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
    return null;
  end $$;
  create trigger issue_tally_inserted after insert on issue referencing new table as inserted
    for each statement execute function issue_tally_inserted();

  create function issue_tally_moved() returns trigger language plpgsql as $$
  begin
    insert into issue_tally (workspace_id, team_id, state_id, shard, n)
      select old.workspace_id, team_id, state_id, pg_backend_pid() % 64, sum(d)
      from (values
        (old.team_id, old.state_id, case when old.deleted_at is null then -1 else 0 end),
        (new.team_id, new.state_id, case when new.deleted_at is null then 1 else 0 end)
      ) as moved (team_id, state_id, d)
      group by team_id, state_id order by team_id, state_id
      on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
    return null;
  end $$;
  create trigger issue_tally_moved after update of team_id, state_id, deleted_at on issue for each row
    when (old.team_id <> new.team_id or old.state_id <> new.state_id
      or (old.deleted_at is null) <> (new.deleted_at is null))
    execute function issue_tally_moved();
`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of [issues, formerKeys, counters, labels, relations, links, history, tallies]) await step.execute(db)
}

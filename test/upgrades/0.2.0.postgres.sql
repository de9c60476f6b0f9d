--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: pgboss; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA pgboss;


--
-- Name: pg_trgm; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;


--
-- Name: EXTENSION pg_trgm; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';


--
-- Name: vector; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;


--
-- Name: EXTENSION vector; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION vector IS 'vector data type and ivfflat and hnsw access methods';


--
-- Name: job_state; Type: TYPE; Schema: pgboss; Owner: -
--

CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);


--
-- Name: create_queue(text, jsonb); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);

      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i5 ON pgboss.job (name, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;


--
-- Name: delete_queue(text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;

      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;
    
      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;


--
-- Name: job_table_format(text, text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;


--
-- Name: job_table_run(text, text, text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;

      EXECUTE pgboss.job_table_format(command, 'job_common');

      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;


--
-- Name: job_table_run_async(text, integer, text, text, text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;

      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;


--
-- Name: issue_assignee_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_assignee_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'UPDATE' and old.assignee_id is not null and old.deleted_at is null then
        perform issue_things_add(tg_table_name, old.workspace_id, old.assignee_id, -1);
      end if;
      if new.assignee_id is not null and new.deleted_at is null then
        perform issue_things_add(tg_table_name, new.workspace_id, new.assignee_id, 1);
      end if;
      return null;
    end $$;


--
-- Name: issue_labels_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_labels_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      one record;
    begin
      for one in select workspace_id, label_id, count(*) as n from changed group by 1, 2 order by 2 loop
        perform issue_things_add(
          tg_table_name, one.workspace_id, one.label_id, case tg_op when 'INSERT' then one.n else -one.n end);
      end loop;
      return null;
    end $$;


--
-- Name: issue_labels_removed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_labels_removed() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
    declare
      labels text := 'issue_label';
      label uuid;
    begin
      if tg_table_name <> 'issue' then
        labels := shard_name('issue_label', get_shard_id_for_distribution_column('issue_label', new.workspace_id));
      end if;
      for label in execute format(
        'select label_id from %s where workspace_id = $1 and issue_id = $2 order by 1', labels)
        using new.workspace_id, new.id
      loop
        perform issue_things_add(
          tg_table_name, new.workspace_id, label, case when new.deleted_at is null then 1 else -1 end);
      end loop;
      return null;
    end $_$;


--
-- Name: issue_project_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_project_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'UPDATE' and old.project_id is not null and old.deleted_at is null then
        perform issue_things_add(tg_table_name, old.workspace_id, old.project_id, -1);
      end if;
      if new.project_id is not null and new.deleted_at is null then
        perform issue_things_add(tg_table_name, new.workspace_id, new.project_id, 1);
      end if;
      return null;
    end $$;


--
-- Name: issue_tally_add(name, uuid, uuid, uuid, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_tally_add(issues name, of_workspace uuid, of_team uuid, of_state uuid, change bigint) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    begin
      if issues = 'issue' then
        insert into issue_tally (workspace_id, team_id, state_id, shard, n)
          values (of_workspace, of_team, of_state, issue_tally_shard(), change)
          on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      else
        execute format(
          'insert into %s as tally (workspace_id, team_id, state_id, shard, n) values ($1, $2, $3, $4, $5)
            on conflict (workspace_id, team_id, state_id, shard) do update set n = tally.n + excluded.n',
          shard_name('issue_tally', get_shard_id_for_distribution_column('issue_tally', of_workspace)))
          using of_workspace, of_team, of_state, issue_tally_shard(), change;
      end if;
    end $_$;


--
-- Name: issue_tally_inserted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_tally_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      added record;
    begin
      for added in
        select workspace_id, team_id, state_id, count(*) as n from inserted where deleted_at is null group by 1, 2, 3
      loop
        perform issue_tally_add(tg_table_name, added.workspace_id, added.team_id, added.state_id, added.n);
      end loop;
      return null;
    end $$;


--
-- Name: issue_tally_moved(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_tally_moved() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if old.deleted_at is null then
        perform issue_tally_add(tg_table_name, old.workspace_id, old.team_id, old.state_id, -1);
      end if;
      if new.deleted_at is null then
        perform issue_tally_add(tg_table_name, new.workspace_id, new.team_id, new.state_id, 1);
      end if;
      return null;
    end $$;


--
-- Name: issue_tally_shard(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_tally_shard() RETURNS smallint
    LANGUAGE plpgsql
    AS $$
    declare
      shard smallint := pg_backend_pid() % 64;
    begin
      perform pg_advisory_xact_lock(hashtext('issues.tally'), shard);
      return shard;
    end $$;


--
-- Name: issue_things_add(name, uuid, uuid, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_things_add(changed name, of_workspace uuid, thing uuid, change bigint) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    begin
      if changed in ('issue', 'issue_label') then
        insert into issue_things_tally (workspace_id, thing_id, shard, n)
          select of_workspace, thing, issue_tally_shard(), change
          where change > 0 or exists (
            select from issue_things_tally t where t.workspace_id = of_workspace and t.thing_id = thing)
          on conflict (workspace_id, thing_id, shard) do update set n = issue_things_tally.n + excluded.n;
      else
        execute format(
          'insert into %1$s as tally (workspace_id, thing_id, shard, n)
            select $1, $2, $3, $4
            where $4 > 0 or exists (select from %1$s t where t.workspace_id = $1 and t.thing_id = $2)
            on conflict (workspace_id, thing_id, shard) do update set n = tally.n + excluded.n',
          shard_name('issue_things_tally', get_shard_id_for_distribution_column('issue_things_tally', of_workspace)))
          using of_workspace, thing, issue_tally_shard(), change;
      end if;
    end $_$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: bam; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);


--
-- Name: job; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer
)
PARTITION BY LIST (name);


--
-- Name: job_common; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);


--
-- Name: job_dependency; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);


--
-- Name: queue; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);


--
-- Name: queue_stats; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);


--
-- Name: queue_stats_20261129; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue_stats_20261129 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: queue_stats_20261130; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue_stats_20261130 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: schedule; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    cron text NOT NULL,
    timezone text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: subscription; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: version; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone
);


--
-- Name: warning; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: account; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    fullname text NOT NULL,
    email text,
    role text DEFAULT 'MEMBER'::text NOT NULL,
    scopes text[],
    created_by_id uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT account_check CHECK (((kind = 'PERSON'::text) OR (role = 'MEMBER'::text))),
    CONSTRAINT account_check1 CHECK (((kind = 'AGENT'::text) OR (scopes IS NULL))),
    CONSTRAINT account_kind_check CHECK ((kind = ANY (ARRAY['PERSON'::text, 'AGENT'::text]))),
    CONSTRAINT account_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'MEMBER'::text])))
);


--
-- Name: agent_run; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_run (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    requested_by_id uuid NOT NULL,
    instructions text,
    status text DEFAULT 'QUEUED'::text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    started_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    picked_up_at timestamp(3) with time zone,
    error_reason text,
    error_message text,
    summary text,
    lease_id uuid,
    lease_until timestamp(3) with time zone,
    token_id uuid,
    depth integer DEFAULT 0 NOT NULL,
    resumed_at timestamp(3) with time zone,
    attempts_before integer DEFAULT 0 NOT NULL,
    retry_of_id uuid,
    result_branch text,
    result_url text,
    result_at timestamp(3) with time zone,
    review text,
    reviewed_at timestamp(3) with time zone,
    reviewed_by_id uuid,
    runner text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT agent_run_check CHECK (((status = 'RUNNING'::text) = ((lease_id IS NOT NULL) AND (lease_until IS NOT NULL) AND (token_id IS NOT NULL)))),
    CONSTRAINT agent_run_check1 CHECK (((status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'CANCELED'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT agent_run_check2 CHECK (((status = ANY (ARRAY['FAILED'::text, 'CANCELED'::text])) = (error_reason IS NOT NULL))),
    CONSTRAINT agent_run_review_check CHECK ((review = ANY (ARRAY['ACCEPTED'::text, 'SENT_BACK'::text]))),
    CONSTRAINT agent_run_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'WAITING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELED'::text])))
);


--
-- Name: agent_run_event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_run_event (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    seq bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    text text NOT NULL,
    name text,
    CONSTRAINT agent_run_event_type_check CHECK ((type = ANY (ARRAY['status'::text, 'stdout'::text, 'stderr'::text, 'message'::text, 'tool'::text, 'file'::text, 'failure'::text])))
);


--
-- Name: agent_run_event_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.agent_run_event ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.agent_run_event_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: comment; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.comment (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    parent_id uuid,
    author_id uuid NOT NULL,
    token_id uuid,
    body json NOT NULL,
    body_markdown text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    body_bytes integer GENERATED ALWAYS AS (COALESCE(octet_length((body)::text), 0)) STORED NOT NULL,
    deleted_by_id uuid,
    purged_at timestamp(3) with time zone
);


--
-- Name: comment_question; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.comment_question (
    workspace_id uuid NOT NULL,
    comment_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    asked_by_id uuid NOT NULL,
    token_id uuid,
    session text,
    options json NOT NULL,
    status text NOT NULL,
    answer_id uuid,
    closed_by_id uuid,
    closed_at timestamp(3) with time zone,
    heard_at timestamp(3) with time zone,
    CONSTRAINT comment_question_check CHECK (((status = 'OPEN'::text) = (closed_at IS NULL))),
    CONSTRAINT comment_question_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'ANSWERED'::text, 'WITHDRAWN'::text])))
);


--
-- Name: comment_question_addressee; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.comment_question_addressee (
    workspace_id uuid NOT NULL,
    comment_id uuid NOT NULL,
    account_id uuid NOT NULL
);


--
-- Name: cycle; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cycle (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    name text NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    carry_over text,
    is_repeated boolean DEFAULT false NOT NULL,
    CONSTRAINT cycle_check CHECK ((ends_at > starts_at))
);


--
-- Name: cycle_rule; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cycle_rule (
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    weeks smallint NOT NULL,
    start_day text NOT NULL,
    carry_over text NOT NULL,
    set_by_id uuid NOT NULL,
    set_at timestamp(3) with time zone NOT NULL
);


--
-- Name: embedding; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.embedding (
    workspace_id uuid NOT NULL,
    pool text NOT NULL,
    id uuid NOT NULL,
    part integer NOT NULL,
    model text NOT NULL,
    vector public.halfvec NOT NULL
);


--
-- Name: embedding_pool; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.embedding_pool (
    workspace_id uuid NOT NULL,
    pool text NOT NULL,
    model text NOT NULL,
    dimensions integer NOT NULL,
    next_model text NOT NULL
);


--
-- Name: embedding_text; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.embedding_text (
    workspace_id uuid NOT NULL,
    pool text NOT NULL,
    id uuid NOT NULL,
    part integer NOT NULL,
    content text NOT NULL,
    hash text NOT NULL,
    waiting boolean DEFAULT true NOT NULL
);


--
-- Name: event_position; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    workspace_id uuid NOT NULL,
    partition smallint DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT nextval('public.event_position'::regclass) NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor_id uuid,
    token_id uuid,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    subject_key text,
    issue_id uuid,
    rev integer,
    origin text NOT NULL,
    audience text NOT NULL,
    account_id uuid,
    data json NOT NULL,
    CONSTRAINT event_audience_check CHECK ((audience = ANY (ARRAY['workspace'::text, 'admin'::text, 'account'::text]))),
    CONSTRAINT event_check CHECK (((audience = 'account'::text) = (account_id IS NOT NULL)))
);


--
-- Name: event_consumer; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_consumer (
    name text NOT NULL,
    partition smallint NOT NULL,
    "position" bigint NOT NULL,
    needs_rebuild boolean NOT NULL,
    leased_by uuid,
    leased_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    crashes integer DEFAULT 0 NOT NULL,
    handling integer DEFAULT 0 NOT NULL
);


--
-- Name: event_dead_letter; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_dead_letter (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    event json NOT NULL,
    attempts integer NOT NULL,
    reason text NOT NULL,
    at timestamp(3) with time zone NOT NULL
);


--
-- Name: event_partition; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_partition (
    partition smallint NOT NULL,
    removed_to bigint DEFAULT 0 NOT NULL
);


--
-- Name: favourite; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.favourite (
    workspace_id uuid NOT NULL,
    account_id uuid NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    "position" integer NOT NULL
);


--
-- Name: file; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.file (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    state text NOT NULL,
    store text NOT NULL,
    name text NOT NULL,
    url_name text NOT NULL,
    mime_type text NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    width integer,
    height integer,
    subject_type text,
    subject_id uuid,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT file_check CHECK (((subject_type IS NULL) = (subject_id IS NULL)))
);


--
-- Name: file_part; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.file_part (
    workspace_id uuid NOT NULL,
    file_id uuid NOT NULL,
    n integer NOT NULL,
    data bytea NOT NULL
);
ALTER TABLE ONLY public.file_part ALTER COLUMN data SET STORAGE EXTERNAL;


--
-- Name: file_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.file_usage (
    workspace_id uuid NOT NULL,
    bytes bigint NOT NULL
);


--
-- Name: git_delivery; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.git_delivery (
    workspace_id uuid NOT NULL,
    hook_id uuid NOT NULL,
    delivery_id text NOT NULL,
    signature text NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL
);


--
-- Name: git_hook; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.git_hook (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    repository text NOT NULL,
    secret text NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone
);


--
-- Name: hook_session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hook_session (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    harness text NOT NULL,
    name text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);


--
-- Name: hook_session_issue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hook_session_issue (
    workspace_id uuid NOT NULL,
    session_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    reminded_of timestamp(3) with time zone,
    told_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


--
-- Name: hook_write; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hook_write (
    workspace_id uuid NOT NULL,
    account_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL
);


--
-- Name: idempotency_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_key (
    workspace_id uuid NOT NULL,
    token_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint,
    headers jsonb,
    body text,
    created_at timestamp(3) with time zone NOT NULL
);


--
-- Name: imported_record; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.imported_record (
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    external_id text NOT NULL,
    id uuid NOT NULL,
    source text DEFAULT ''::text NOT NULL,
    fields json
);


--
-- Name: inbox_entry; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inbox_entry (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    reason text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    actor_id uuid,
    at timestamp(3) with time zone NOT NULL,
    read_at timestamp(3) with time zone
);


--
-- Name: inbox_watch; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inbox_watch (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    account_id uuid NOT NULL,
    is_watching boolean NOT NULL
);


--
-- Name: insight_step; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.insight_step (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    n integer NOT NULL,
    team_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    figure text,
    account_id uuid,
    started_until timestamp(3) with time zone,
    started_at timestamp(3) with time zone,
    is_proven boolean,
    completed_before timestamp(3) with time zone,
    from_state_id uuid,
    from_state_name text,
    seconds double precision,
    is_first boolean NOT NULL,
    closes_at timestamp(3) with time zone
);


--
-- Name: issue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    number integer NOT NULL,
    title text NOT NULL,
    description json,
    description_markdown text DEFAULT ''::text NOT NULL,
    described boolean DEFAULT false NOT NULL,
    criteria_met integer DEFAULT 0 NOT NULL,
    criteria_total integer DEFAULT 0 NOT NULL,
    state_id uuid NOT NULL,
    assignee_id uuid,
    assigned_at timestamp(3) with time zone,
    priority smallint DEFAULT 0 NOT NULL,
    estimate double precision,
    due_date date,
    sort_order double precision NOT NULL,
    parent_id uuid,
    created_by_id uuid NOT NULL,
    updated_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    completed_at timestamp(3) with time zone,
    rev integer DEFAULT 1 NOT NULL,
    deleted_at timestamp(3) with time zone,
    description_bytes integer GENERATED ALWAYS AS (COALESCE(octet_length((description)::text), 0)) STORED NOT NULL,
    purged_at timestamp(3) with time zone,
    project_id uuid,
    cycle_id uuid,
    milestone_id uuid,
    budget_usd double precision,
    CONSTRAINT issue_priority_check CHECK (((priority >= 0) AND (priority <= 4)))
);


--
-- Name: issue_change; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_change (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor_id uuid NOT NULL,
    token_id uuid,
    change text NOT NULL,
    from_name text,
    to_name text,
    rev integer,
    from_id uuid,
    to_id uuid
);


--
-- Name: issue_claim; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_claim (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    holder_id uuid NOT NULL,
    session text,
    since timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    lapsed_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    is_given_back boolean DEFAULT false NOT NULL,
    fence integer NOT NULL
);


--
-- Name: issue_claim_lapse; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_claim_lapse (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    holder_id uuid NOT NULL
);


--
-- Name: issue_counter; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_counter (
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    last integer NOT NULL
);


--
-- Name: issue_former_description; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_former_description (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    rev integer NOT NULL,
    markdown text NOT NULL,
    bytes integer GENERATED ALWAYS AS (octet_length(markdown)) STORED NOT NULL,
    replaced_at timestamp(3) with time zone NOT NULL,
    replaced_by_id uuid NOT NULL,
    is_ticks boolean NOT NULL
);


--
-- Name: issue_former_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_former_key (
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    number integer NOT NULL,
    issue_id uuid NOT NULL,
    moved_at timestamp(3) with time zone
);


--
-- Name: issue_key_reservation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_key_reservation (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    number integer NOT NULL
);


--
-- Name: issue_label; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_label (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    label_id uuid NOT NULL
);


--
-- Name: issue_link; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_link (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    url text NOT NULL,
    title text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    kind text,
    state text,
    state_at timestamp(3) with time zone
);


--
-- Name: issue_lost_claim; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_lost_claim (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    account_id uuid NOT NULL,
    session text NOT NULL,
    lost_at timestamp(3) with time zone NOT NULL
);


--
-- Name: issue_old_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_old_key (
    workspace_id uuid NOT NULL,
    key text NOT NULL,
    issue_id uuid NOT NULL
);


--
-- Name: issue_relation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_relation (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    related_issue_id uuid NOT NULL,
    type text NOT NULL,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT issue_relation_check CHECK ((issue_id <> related_issue_id)),
    CONSTRAINT issue_relation_type_check CHECK ((type = ANY (ARRAY['BLOCKS'::text, 'RELATED'::text, 'DUPLICATE_OF'::text, 'SIMILAR'::text])))
);


--
-- Name: issue_resolution; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_resolution (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    snippet text NOT NULL
);


--
-- Name: issue_similar; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_similar (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    similar_ids uuid[] NOT NULL,
    scores double precision[] NOT NULL,
    found_at timestamp(3) with time zone NOT NULL
);


--
-- Name: issue_tally; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_tally (
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    state_id uuid NOT NULL,
    shard smallint NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: issue_template; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_template (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    name text NOT NULL,
    title text,
    description_markdown text NOT NULL,
    label_ids uuid[] NOT NULL,
    criteria text[] NOT NULL,
    priority smallint NOT NULL,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    deleted_by_id uuid,
    purged_at timestamp(3) with time zone
);


--
-- Name: issue_things_tally; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_things_tally (
    workspace_id uuid NOT NULL,
    thing_id uuid NOT NULL,
    shard smallint NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: issue_tick; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_tick (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    digest text NOT NULL,
    occurrence integer NOT NULL,
    n integer NOT NULL,
    text text NOT NULL,
    by_id uuid,
    token_id uuid,
    at timestamp(3) with time zone NOT NULL,
    evidence text
);


--
-- Name: issue_told_change; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_told_change (
    workspace_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    account_id uuid NOT NULL,
    rev integer NOT NULL,
    told_at timestamp(3) with time zone NOT NULL
);


--
-- Name: job_crash; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.job_crash (
    job text NOT NULL,
    ends integer NOT NULL,
    at timestamp(3) with time zone NOT NULL
);


--
-- Name: knowledge_entry; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_entry (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    content text NOT NULL,
    kind text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    team_id uuid,
    project_id uuid,
    issue_id uuid,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    supersedes_id uuid,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    expires_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    deleted_by_id uuid,
    purged_at timestamp(3) with time zone,
    doubt text,
    CONSTRAINT knowledge_entry_kind_check CHECK ((kind = ANY (ARRAY['FACT'::text, 'DECISION'::text, 'CONVENTION'::text, 'PITFALL'::text, 'HOWTO'::text]))),
    CONSTRAINT knowledge_entry_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUPERSEDED'::text, 'DISPUTED'::text])))
);


--
-- Name: knowledge_mark; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_mark (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    entry_id uuid NOT NULL,
    account_id uuid NOT NULL,
    issue_id uuid,
    is_helpful boolean NOT NULL,
    at timestamp(3) with time zone NOT NULL
);


--
-- Name: knowledge_outcome; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_outcome (
    workspace_id uuid NOT NULL,
    entry_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    outcome text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT knowledge_outcome_outcome_check CHECK ((outcome = ANY (ARRAY['COMPLETED'::text, 'CANCELED'::text, 'REOPENED'::text])))
);


--
-- Name: knowledge_serving; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.knowledge_serving (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    entry_id uuid NOT NULL,
    token_id uuid NOT NULL,
    session text,
    request_id text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    issue_id uuid
);


--
-- Name: label; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.label (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    color text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone,
    deleted_by_id uuid,
    purged_at timestamp(3) with time zone
);


--
-- Name: migration_claims; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_claims (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_claims_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_claims_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_comments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_comments (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_comments_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_comments_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_core; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_core (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_core_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_core_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_delegation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_delegation (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_delegation_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_delegation_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_demo; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_demo (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_demo_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_demo_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_embeddings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_embeddings (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_embeddings_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_embeddings_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_files; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_files (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_files_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_files_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_git; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_git (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_git_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_git_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_hooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_hooks (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_hooks_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_hooks_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_inbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_inbox (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_inbox_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_inbox_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_insights; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_insights (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_insights_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_insights_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_issues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_issues (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_issues_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_issues_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_knowledge; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_knowledge (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_knowledge_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_knowledge_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_passwords; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_passwords (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_passwords_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_passwords_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_projects (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_projects_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_projects_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_proof; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_proof (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_proof_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_proof_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_reactions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_reactions (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_reactions_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_reactions_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_revisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_revisions (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_revisions_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_revisions_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_search (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_search_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_search_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_templates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_templates (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_templates_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_templates_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_transfer; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_transfer (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_transfer_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_transfer_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_trash; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_trash (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_trash_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_trash_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_usage (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_usage_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_usage_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_views; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_views (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_views_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_views_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_webhooks (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_webhooks_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_webhooks_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_workspace; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_workspace (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL,
    compatible_from text
);


--
-- Name: migration_workspace_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_workspace_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: milestone; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.milestone (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    name text NOT NULL,
    date date,
    created_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone
);


--
-- Name: password; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.password (
    workspace_id uuid NOT NULL,
    account_id uuid NOT NULL,
    hash text NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


--
-- Name: project; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description json,
    description_markdown text DEFAULT ''::text NOT NULL,
    team_id uuid,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone,
    description_bytes integer GENERATED ALWAYS AS (COALESCE(octet_length((description)::text), 0)) STORED NOT NULL,
    deleted_by_id uuid,
    purged_at timestamp(3) with time zone,
    state text DEFAULT 'PLANNED'::text NOT NULL,
    lead_id uuid,
    member_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    starts_on date,
    target_on date
);


--
-- Name: project_update; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project_update (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    health text NOT NULL,
    body json,
    body_markdown text NOT NULL,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);


--
-- Name: reaction; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reaction (
    workspace_id uuid NOT NULL,
    comment_id uuid NOT NULL,
    emoji text NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);


--
-- Name: sample_board; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sample_board (
    workspace_id uuid NOT NULL,
    sample_workspace_id uuid NOT NULL,
    made_from_id uuid NOT NULL,
    admin_id uuid NOT NULL
);


--
-- Name: saved_view; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.saved_view (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    is_shared boolean NOT NULL,
    name text NOT NULL,
    icon text,
    team_id uuid,
    filters json NOT NULL,
    order_by text NOT NULL,
    group_by text,
    sub_group_by text,
    layout text NOT NULL,
    properties text[] NOT NULL,
    hidden_groups text[] NOT NULL,
    collapsed_groups text[] NOT NULL,
    closed_within_days integer,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);


--
-- Name: search_document; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_document (
    workspace_id uuid NOT NULL,
    pool text NOT NULL,
    id uuid NOT NULL,
    terms integer[] NOT NULL,
    heavy_terms integer[] NOT NULL,
    title_terms integer[] NOT NULL,
    description_terms integer[] NOT NULL,
    facets integer[] NOT NULL,
    weights public.sparsevec(1000000000) NOT NULL,
    words_hash text
)
WITH (toast_tuple_target='8160', fillfactor='80');
ALTER TABLE ONLY public.search_document ALTER COLUMN terms SET STORAGE MAIN;
ALTER TABLE ONLY public.search_document ALTER COLUMN weights SET STORAGE MAIN;


--
-- Name: search_pool; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_pool (
    workspace_id uuid NOT NULL,
    pool text NOT NULL,
    documents integer DEFAULT 0 NOT NULL,
    tokens_version smallint DEFAULT 1 NOT NULL
);


--
-- Name: search_reindex; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_reindex (
    workspace_id uuid NOT NULL,
    after_id uuid NOT NULL
);


--
-- Name: search_term; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_term (
    workspace_id uuid NOT NULL,
    term integer NOT NULL,
    pool text NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C",
    df integer NOT NULL
)
WITH (fillfactor='80');


--
-- Name: search_timeline; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_timeline (
    workspace_id uuid NOT NULL,
    issues integer NOT NULL,
    times timestamp(3) with time zone[] NOT NULL
);


--
-- Name: service_agent; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.service_agent (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL
);


--
-- Name: sign_in_failure; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_failure (
    subject bytea NOT NULL,
    failures integer NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    next_at timestamp(3) with time zone
);


--
-- Name: sign_in_place; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_place (
    workspace_id uuid NOT NULL,
    account_id uuid NOT NULL,
    place bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);


--
-- Name: team; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.team (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    identifier text NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone,
    closing_criteria text DEFAULT 'ANY'::text NOT NULL,
    CONSTRAINT team_closing_criteria_check CHECK ((closing_criteria = ANY (ARRAY['ANY'::text, 'MET'::text, 'PROVEN'::text])))
);


--
-- Name: text_revision; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.text_revision (
    workspace_id uuid NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    n integer NOT NULL,
    issue_id uuid NOT NULL,
    markdown text NOT NULL,
    bytes integer GENERATED ALWAYS AS (octet_length(markdown)) STORED NOT NULL,
    total_bytes bigint NOT NULL,
    edited_at timestamp(3) with time zone NOT NULL,
    edited_by_id uuid NOT NULL
);


--
-- Name: token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    confined_to jsonb,
    kind text DEFAULT 'ACCESS'::text NOT NULL,
    CONSTRAINT token_kind_check CHECK ((kind = ANY (ARRAY['ACCESS'::text, 'SESSION'::text])))
);


--
-- Name: trash_start; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.trash_start (
    workspace_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL
);


--
-- Name: usage_report; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_report (
    workspace_id uuid NOT NULL,
    token_id uuid NOT NULL,
    report_id text NOT NULL,
    account_id uuid NOT NULL,
    issue_id uuid,
    run_id uuid,
    session text,
    model text NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    cost_micros bigint,
    is_estimated boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);


--
-- Name: webhook; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    active boolean NOT NULL,
    include_imports boolean NOT NULL,
    secret text NOT NULL,
    former_secret text,
    former_secret_until timestamp(3) with time zone,
    created_by_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    failing_since timestamp(3) with time zone,
    disabled_reason text
);


--
-- Name: webhook_delivery; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_delivery (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid,
    type text NOT NULL,
    subject_id uuid NOT NULL,
    redelivery_of uuid,
    payload text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone NOT NULL,
    leased_until timestamp(3) with time zone,
    response_status integer,
    duration_ms integer,
    response_body text,
    error text,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
);


--
-- Name: webhook_delivery_position_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.webhook_delivery ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_delivery_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: workflow_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workflow_state (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    name text NOT NULL,
    category text NOT NULL,
    "position" double precision NOT NULL,
    color text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT workflow_state_category_check CHECK ((category = ANY (ARRAY['TRIAGE'::text, 'BACKLOG'::text, 'UNSTARTED'::text, 'STARTED'::text, 'COMPLETED'::text, 'CANCELED'::text])))
);


--
-- Name: workspace; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspace (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);


--
-- Name: job_common; Type: TABLE ATTACH; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;


--
-- Name: queue_stats_20261129; Type: TABLE ATTACH; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261129 FOR VALUES FROM ('2026-11-29 00:00:00+00') TO ('2026-11-30 00:00:00+00');


--
-- Name: queue_stats_20261130; Type: TABLE ATTACH; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261130 FOR VALUES FROM ('2026-11-30 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Data for Name: bam; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: job_common; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: job_dependency; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: queue; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.queue VALUES
	('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-29 15:44:49.919733+00', '2026-11-29 15:44:49.919733+00'),
	('core.removeOldIdempotencyKeys', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.935812+00', '2026-11-29 15:44:49.935812+00'),
	('core.removeEvents', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.947512+00', '2026-11-29 15:44:49.947512+00'),
	('core.removeOldSignInPlaces', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.950227+00', '2026-11-29 15:44:49.950227+00'),
	('issues.forgetFormerValues', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.952676+00', '2026-11-29 15:44:49.952676+00'),
	('claims.lapseClaims', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.955207+00', '2026-11-29 15:44:49.955207+00'),
	('claims.forgetLosses', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.956886+00', '2026-11-29 15:44:49.956886+00'),
	('claims.reconcileClaims', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.957999+00', '2026-11-29 15:44:49.957999+00'),
	('files.removeContent', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.959116+00', '2026-11-29 15:44:49.959116+00'),
	('files.removePurged', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.96129+00', '2026-11-29 15:44:49.96129+00'),
	('files.removeUnused', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.963077+00', '2026-11-29 15:44:49.963077+00'),
	('projects.turnCycles', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.964461+00', '2026-11-29 15:44:49.964461+00'),
	('projects.carryOver', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.965516+00', '2026-11-29 15:44:49.965516+00'),
	('embeddings.embedWaiting', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.967739+00', '2026-11-29 15:44:49.967739+00'),
	('embeddings.forgetModels', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.9693+00', '2026-11-29 15:44:49.9693+00'),
	('search.indexMissing', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.970337+00', '2026-11-29 15:44:49.970337+00'),
	('search.forgetSimilar', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.971149+00', '2026-11-29 15:44:49.971149+00'),
	('trash.purgeOld', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.972157+00', '2026-11-29 15:44:49.972157+00'),
	('knowledge.indexEntries', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.973067+00', '2026-11-29 15:44:49.973067+00'),
	('knowledge.forgetServings', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.975789+00', '2026-11-29 15:44:49.975789+00'),
	('delegation.take', 'short', 5, 1, true, 300, 600, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.977434+00', '2026-11-29 15:44:49.977434+00'),
	('delegation.endOverBudget', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.97923+00', '2026-11-29 15:44:49.97923+00'),
	('delegation.announce', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.980705+00', '2026-11-29 15:44:49.980705+00'),
	('hooks.forgetSessions', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.981811+00', '2026-11-29 15:44:49.981811+00'),
	('passwords.forgetFailures', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.982955+00', '2026-11-29 15:44:49.982955+00'),
	('inbox.forgetRead', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.985083+00', '2026-11-29 15:44:49.985083+00'),
	('insights.findProofs', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.986117+00', '2026-11-29 15:44:49.986117+00'),
	('webhooks.deliver', 'short', 5, 1, true, 300, 3600, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.987633+00', '2026-11-29 15:44:49.987633+00'),
	('webhooks.announce', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.988755+00', '2026-11-29 15:44:49.988755+00'),
	('git.forget', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 20, false, NULL, NULL, NULL, '2026-11-29 15:44:49.989802+00', '2026-11-29 15:44:49.989802+00');


--
-- Data for Name: queue_stats_20261129; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: queue_stats_20261130; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: schedule; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.schedule VALUES
	('core.removeOldIdempotencyKeys', '', '20 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.006385+00', '2026-11-29 15:44:50.006385+00'),
	('core.removeEvents', '', '23 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.009411+00', '2026-11-29 15:44:50.009411+00'),
	('core.removeOldSignInPlaces', '', '26 4 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.010518+00', '2026-11-29 15:44:50.010518+00'),
	('issues.forgetFormerValues', '', '50 3 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.011458+00', '2026-11-29 15:44:50.011458+00'),
	('claims.lapseClaims', '', '* * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.012624+00', '2026-11-29 15:44:50.012624+00'),
	('claims.forgetLosses', '', '50 3 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.013459+00', '2026-11-29 15:44:50.013459+00'),
	('files.removeUnused', '', '40 4 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.014268+00', '2026-11-29 15:44:50.014268+00'),
	('projects.turnCycles', '', '*/5 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.018863+00', '2026-11-29 15:44:50.018863+00'),
	('search.indexMissing', '', '40 3 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.021933+00', '2026-11-29 15:44:50.021933+00'),
	('search.forgetSimilar', '', '10 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.023629+00', '2026-11-29 15:44:50.023629+00'),
	('trash.purgeOld', '', '25 2 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.024574+00', '2026-11-29 15:44:50.024574+00'),
	('knowledge.forgetServings', '', '30 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.025665+00', '2026-11-29 15:44:50.025665+00'),
	('knowledge.indexEntries', '', '50 3 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.026604+00', '2026-11-29 15:44:50.026604+00'),
	('delegation.announce', '', '* * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.027643+00', '2026-11-29 15:44:50.027643+00'),
	('hooks.forgetSessions', '', '40 3 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.028498+00', '2026-11-29 15:44:50.028498+00'),
	('passwords.forgetFailures', '', '11 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.029433+00', '2026-11-29 15:44:50.029433+00'),
	('inbox.forgetRead', '', '20 4 * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.030148+00', '2026-11-29 15:44:50.030148+00'),
	('webhooks.announce', '', '* * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.030978+00', '2026-11-29 15:44:50.030978+00'),
	('git.forget', '', '17 * * * *', 'UTC', '{}', '{}', '2026-11-29 15:44:50.031666+00', '2026-11-29 15:44:50.031666+00');


--
-- Data for Name: subscription; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: version; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.version VALUES
	(37, '2026-11-29 15:44:49.932347+00', '2026-11-29 15:44:49.933794+00', NULL);


--
-- Data for Name: warning; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', 'PERSON', 'Administrator', 'admin@localhost', 'ADMIN', NULL, NULL, '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-ff29-72fd-818f-c4dcc48c2e7a', 'AGENT', 'Ada', NULL, 'MEMBER', '{read,write}', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.465+00', NULL);


--
-- Data for Name: agent_run; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: agent_run_event; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: comment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.comment VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-00ff-70c0-817e-f9922732289f', '01a227fb-0041-73c9-8ce6-b1b5bb846588', NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', '{"type":"doc","attrs":{"source":"The writer drops the column `due_date`; **fixed** in the exporter."},"content":[{"type":"paragraph","content":[{"type":"text","text":"The writer drops the column "},{"type":"text","marks":[{"type":"code"}],"text":"due_date"},{"type":"text","text":"; "},{"type":"text","marks":[{"type":"strong","attrs":{"depth":0,"run":0,"delimiter":"*"}}],"text":"fixed"},{"type":"text","text":" in the exporter."}]}]}', 'The writer drops the column `due_date`; **fixed** in the exporter.', '2026-11-29 15:44:50.947+00', '2026-11-29 15:44:50.947+00', NULL, DEFAULT, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-013f-711d-9bd0-39aa4d5645c5', '01a227fb-0117-7298-a0e7-75dfab3f49eb', NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', '{"type":"doc","attrs":{"source":"The parser knows zones now."},"content":[{"type":"paragraph","content":[{"type":"text","text":"The parser knows zones now."}]}]}', 'The parser knows zones now.', '2026-11-29 15:44:51.012+00', '2026-11-29 15:44:51.012+00', NULL, DEFAULT, NULL, NULL);


--
-- Data for Name: comment_question; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: comment_question_addressee; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: cycle; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: cycle_rule; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: embedding; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: embedding_pool; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: embedding_text; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.embedding_text VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 'knowledge', '01a227fb-0162-76b8-a0fa-649560e88fd3', 0, 'The CSV exporter writes columns in the order of the header file.', 'aa15eb8f638d242758ef531277502d45f2fc9fbacc7e11f5759442c194675c40', true);


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 1, '01a227fa-fd8f-71a8-9aa3-9a36fd56d7f3', 'workspace.created', '2026-11-29 15:44:50.063+00', NULL, NULL, 'workspace', '01a227fa-fd7c-70eb-8991-c08ea0a23579', NULL, NULL, NULL, 'system', 'admin', NULL, '{"name":"Tracker"}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 2, '01a227fa-ff34-72f1-825a-c81007bd0178', 'account.created', '2026-11-29 15:44:50.484+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'account', '01a227fa-ff29-72fd-818f-c4dcc48c2e7a', NULL, NULL, NULL, 'rest', 'workspace', NULL, '{"kind":"AGENT","fullname":"Ada"}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 3, '01a227fa-ff97-75a0-affc-fbe9798b30cf', 'project.created', '2026-11-29 15:44:50.583+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'project', '01a227fa-ff8c-7013-97b1-e2d3ddb27abd', NULL, NULL, NULL, 'rest', 'workspace', NULL, '{"name":"Exports","teamId":null}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 4, '01a227fb-0028-7323-9c1c-43c9e31285ba', 'issue.created', '2026-11-29 15:44:50.728+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', 'ENG-1', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', 1, 'rest', 'workspace', NULL, '{"title":"The header file is outdated","teamId":"01a227fa-fd81-7254-9a47-a8267b5e7972","stateId":"01a227fa-fd83-741b-a230-828314dde72c","assigneeId":null,"parentId":null}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 5, '01a227fb-0059-767b-a250-8a81ed284fab', 'issue.created', '2026-11-29 15:44:50.777+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'ENG-2', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 1, 'rest', 'workspace', NULL, '{"title":"The export loses dates","teamId":"01a227fa-fd81-7254-9a47-a8267b5e7972","stateId":"01a227fa-fd83-741b-a230-828314dde72c","assigneeId":null,"parentId":null}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 6, '01a227fb-0085-734a-85f9-411b538ec593', 'issue.created', '2026-11-29 15:44:50.821+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0080-734a-b04d-f77ff40b8b43', 'ENG-3', '01a227fb-0080-734a-b04d-f77ff40b8b43', 1, 'rest', 'workspace', NULL, '{"title":"Read the exporter","teamId":"01a227fa-fd81-7254-9a47-a8267b5e7972","stateId":"01a227fa-fd83-741b-a230-828314dde72c","assigneeId":null,"parentId":"01a227fb-0041-73c9-8ce6-b1b5bb846588"}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 7, '01a227fb-009e-7585-8c1c-5d7f8dc2edc2', 'issue.updated', '2026-11-29 15:44:50.846+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', 'ENG-1', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', 2, 'rest', 'workspace', NULL, '{"changes":[{"field":"relation","from":null,"to":"ENG-1 BLOCKS ENG-2"}]}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 8, '01a227fb-00a4-7487-8b23-bd413256e666', 'issue.updated', '2026-11-29 15:44:50.852+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'ENG-2', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 2, 'rest', 'workspace', NULL, '{"changes":[{"field":"relation","from":null,"to":"ENG-1 BLOCKS ENG-2"}]}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 9, '01a227fb-00c2-76e9-8f84-968ecfca420c', 'issue.updated', '2026-11-29 15:44:50.882+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'ENG-2', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 3, 'rest', 'workspace', NULL, '{"changes":[{"field":"link","from":null,"to":"The report"}]}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 10, '01a227fb-00d4-771d-93ba-1c660665d14a', 'issue.updated', '2026-11-29 15:44:50.9+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'ENG-2', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 4, 'rest', 'workspace', NULL, '{"changes":[{"field":"assignee","from":null,"to":{"id":"01a227fa-fd7d-75d1-87af-c49bb8ae1088","name":"Administrator"}},{"field":"state","from":{"id":"01a227fa-fd83-741b-a230-828314dde72c","name":"Todo"},"to":{"id":"01a227fa-fd83-741b-a230-87345d7f1843","name":"In Progress"}}]}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 11, '01a227fb-0105-7571-abe9-95c30a6ab82b', 'comment.created', '2026-11-29 15:44:50.949+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'comment', '01a227fb-00ff-70c0-817e-f9922732289f', NULL, '01a227fb-0041-73c9-8ce6-b1b5bb846588', NULL, 'rest', 'workspace', NULL, '{"parentId":null}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 12, '01a227fb-011e-7041-8a04-6c5fcf87150c', 'issue.created', '2026-11-29 15:44:50.974+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0117-7298-a0e7-75dfab3f49eb', 'ENG-4', '01a227fb-0117-7298-a0e7-75dfab3f49eb', 1, 'rest', 'workspace', NULL, '{"title":"The import loses times","teamId":"01a227fa-fd81-7254-9a47-a8267b5e7972","stateId":"01a227fa-fd83-741b-a230-828314dde72c","assigneeId":null,"parentId":null}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 13, '01a227fb-0147-773e-ad24-7bcc1d09baa0', 'comment.created', '2026-11-29 15:44:51.015+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'comment', '01a227fb-013f-711d-9bd0-39aa4d5645c5', NULL, '01a227fb-0117-7298-a0e7-75dfab3f49eb', NULL, 'rest', 'workspace', NULL, '{"parentId":null}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 14, '01a227fb-014b-7209-b491-d1681c702530', 'issue.updated', '2026-11-29 15:44:51.019+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'issue', '01a227fb-0117-7298-a0e7-75dfab3f49eb', 'ENG-4', '01a227fb-0117-7298-a0e7-75dfab3f49eb', 2, 'rest', 'workspace', NULL, '{"changes":[{"field":"state","from":{"id":"01a227fa-fd83-741b-a230-828314dde72c","name":"Todo"},"to":{"id":"01a227fa-fd83-741b-a230-8ef3dd81021d","name":"Done"}}]}'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 0, 15, '01a227fb-0187-72d5-b8db-12a87c9cc0b5', 'knowledge.created', '2026-11-29 15:44:51.079+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'knowledge', '01a227fb-0162-76b8-a0fa-649560e88fd3', NULL, NULL, NULL, 'rest', 'workspace', NULL, '{"kind":"FACT","supersedesId":null}');


--
-- Data for Name: event_consumer; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event_consumer VALUES
	('hooks/writes', 0, 0, false, NULL, '-infinity', 0, 0, 0),
	('files/accounts', 0, 1, false, NULL, '-infinity', 0, 0, 0),
	('delegation/runs', 0, 1, false, NULL, '-infinity', 0, 0, 0),
	('knowledge/index', 0, 1, false, NULL, '-infinity', 0, 0, 0),
	('webhooks/deliveries', 0, 1, false, NULL, '-infinity', 0, 0, 0),
	('search/index', 0, 1, false, NULL, '-infinity', 0, 0, 0),
	('knowledge/outcomes', 0, 2, false, NULL, '-infinity', 0, 0, 0),
	('claims/removals', 0, 2, false, NULL, '-infinity', 0, 0, 0),
	('inbox/entries', 0, 11, false, NULL, '-infinity', 0, 0, 0),
	('insights/steps', 0, 14, false, NULL, '-infinity', 0, 0, 0);


--
-- Data for Name: event_dead_letter; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: event_partition; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event_partition VALUES
	(0, 0);


--
-- Data for Name: favourite; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: file; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: file_part; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: file_usage; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: git_delivery; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: git_hook; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: hook_session; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: hook_session_issue; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: hook_write; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: idempotency_key; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: imported_record; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: inbox_entry; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: inbox_watch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inbox_watch VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', true);


--
-- Data for Name: insight_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.insight_step VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', 0, '01a227fa-fd81-7254-9a47-a8267b5e7972', '2026-11-29 15:44:50.711+00', 'filed', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 1, '01a227fa-fd81-7254-9a47-a8267b5e7972', '2026-11-29 15:44:50.9+00', NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', 'infinity', '2026-11-29 15:44:50.9+00', NULL, NULL, '01a227fa-fd83-741b-a230-828314dde72c', NULL, 0.147, true, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 0, '01a227fa-fd81-7254-9a47-a8267b5e7972', '2026-11-29 15:44:50.753+00', 'filed', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', NULL, '2026-11-29 15:44:50.9+00', NULL, NULL, NULL, NULL, NULL, false, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0080-734a-b04d-f77ff40b8b43', 0, '01a227fa-fd81-7254-9a47-a8267b5e7972', '2026-11-29 15:44:50.816+00', 'filed', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0117-7298-a0e7-75dfab3f49eb', 0, '01a227fa-fd81-7254-9a47-a8267b5e7972', '2026-11-29 15:44:50.967+00', 'filed', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0117-7298-a0e7-75dfab3f49eb', 1, '01a227fa-fd81-7254-9a47-a8267b5e7972', '2026-11-29 15:44:51.019+00', 'completed', NULL, NULL, NULL, false, NULL, '01a227fa-fd83-741b-a230-828314dde72c', NULL, 0.052, true, '2026-11-29 15:44:51.019+00');


--
-- Data for Name: issue; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0080-734a-b04d-f77ff40b8b43', '01a227fa-fd81-7254-9a47-a8267b5e7972', 3, 'Read the exporter', NULL, '', false, 0, 0, '01a227fa-fd83-741b-a230-828314dde72c', NULL, NULL, 0, NULL, NULL, 1795967090816, '01a227fb-0041-73c9-8ce6-b1b5bb846588', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.816+00', '2026-11-29 15:44:50.816+00', NULL, 1, NULL, DEFAULT, NULL, NULL, NULL, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', '01a227fa-fd81-7254-9a47-a8267b5e7972', 1, 'The header file is outdated', NULL, '', false, 0, 0, '01a227fa-fd83-741b-a230-828314dde72c', NULL, NULL, 0, NULL, NULL, 1795967090711, NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.711+00', '2026-11-29 15:44:50.846+00', NULL, 2, NULL, DEFAULT, NULL, NULL, NULL, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '01a227fa-fd81-7254-9a47-a8267b5e7972', 2, 'The export loses dates', '{"type":"doc","attrs":{"source":"Due dates are missing in the CSV: “2026-11-21” becomes ``.\n\n- [x] dates are exported\n- [ ] a test says so\n\n```ts\nexport const x = 1 // naïve\n```\n"},"content":[{"type":"paragraph","content":[{"type":"text","text":"Due dates are missing in the CSV: “2026-11-21” becomes ``."}]},{"type":"bullet_list","attrs":{"tight":true,"bullet":"-"},"content":[{"type":"list_item","attrs":{"checked":true},"content":[{"type":"paragraph","content":[{"type":"text","text":"dates are exported"}]}]},{"type":"list_item","attrs":{"checked":false},"content":[{"type":"paragraph","content":[{"type":"text","text":"a test says so"}]}]}]},{"type":"code_block","attrs":{"params":"ts"},"content":[{"type":"text","text":"export const x = 1 // naïve"}]}]}', 'Due dates are missing in the CSV: “2026-11-21” becomes ``.

- [x] dates are exported
- [ ] a test says so

```ts
export const x = 1 // naïve
```
', true, 1, 2, '01a227fa-fd83-741b-a230-87345d7f1843', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.898+00', 2, 3, '2027-01-31', 1795967090753, NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.753+00', '2026-11-29 15:44:50.9+00', NULL, 4, NULL, DEFAULT, NULL, '01a227fa-ff8c-7013-97b1-e2d3ddb27abd', NULL, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0117-7298-a0e7-75dfab3f49eb', '01a227fa-fd81-7254-9a47-a8267b5e7972', 4, 'The import loses times', NULL, '', false, 0, 0, '01a227fa-fd83-741b-a230-8ef3dd81021d', NULL, NULL, 0, NULL, NULL, 1795967090967, NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.967+00', '2026-11-29 15:44:51.019+00', '2026-11-29 15:44:51.019+00', 2, NULL, DEFAULT, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: issue_change; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_change VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-009e-7585-8c1c-62c0fab6cbe8', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', '2026-11-29 15:44:50.846+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'relation', NULL, 'ENG-1 BLOCKS ENG-2', 2, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-00a5-74d3-b195-55ad4659b342', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '2026-11-29 15:44:50.852+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'relation', NULL, 'ENG-1 BLOCKS ENG-2', 2, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-00c2-76e9-8f84-980140cd738c', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '2026-11-29 15:44:50.882+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'link', NULL, 'The report', 3, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-00d5-7270-8f4a-22d099d8d614', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '2026-11-29 15:44:50.9+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'assignee', NULL, 'Administrator', 4, NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-00d5-7270-8f4a-27b542234a05', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '2026-11-29 15:44:50.9+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'state', 'Todo', 'In Progress', 4, '01a227fa-fd83-741b-a230-828314dde72c', '01a227fa-fd83-741b-a230-87345d7f1843'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-014b-7209-b491-d672639dec98', '01a227fb-0117-7298-a0e7-75dfab3f49eb', '2026-11-29 15:44:51.019+00', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', 'state', 'Todo', 'Done', 2, '01a227fa-fd83-741b-a230-828314dde72c', '01a227fa-fd83-741b-a230-8ef3dd81021d');


--
-- Data for Name: issue_claim; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_claim VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', NULL, '2026-11-29 15:44:50.903+00', NULL, NULL, NULL, false, 1);


--
-- Data for Name: issue_claim_lapse; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_counter; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_counter VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', 4);


--
-- Data for Name: issue_former_description; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_former_key; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_key_reservation; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_label; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_label VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', '01a227fa-fd86-7596-a35b-84401e8d1865');


--
-- Data for Name: issue_link; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_link VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-00c0-70cd-bdf3-978ec96a488a', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'https://example.org/export', 'The report', '2026-11-29 15:44:50.88+00', NULL, NULL, NULL, NULL);


--
-- Data for Name: issue_lost_claim; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_old_key; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_relation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_relation VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-009b-7457-ae9e-1610a323671a', '01a227fb-0016-74fc-b7cd-9f7ea564dfa2', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'BLOCKS', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.843+00', NULL);


--
-- Data for Name: issue_resolution; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_similar; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_tally VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', '01a227fa-fd83-741b-a230-828314dde72c', 59, 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', '01a227fa-fd83-741b-a230-828314dde72c', 60, 2),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', '01a227fa-fd83-741b-a230-87345d7f1843', 57, 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', '01a227fa-fd83-741b-a230-828314dde72c', 56, 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', '01a227fa-fd83-741b-a230-828314dde72c', 57, -2),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', '01a227fa-fd83-741b-a230-8ef3dd81021d', 57, 1);


--
-- Data for Name: issue_template; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_things_tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_things_tally VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd86-7596-a35b-84401e8d1865', 60, 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-ff8c-7013-97b1-e2d3ddb27abd', 60, 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', 57, 1);


--
-- Data for Name: issue_tick; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_tick VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0041-73c9-8ce6-b1b5bb846588', 'a30799915c3420276e1c52291324e923', 1, 1, 'dates are exported', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', '2026-11-29 15:44:50.796+00', NULL);


--
-- Data for Name: issue_told_change; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: job_crash; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: knowledge_entry; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knowledge_entry VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fb-0162-76b8-a0fa-649560e88fd3', 'The CSV exporter writes columns in the order of the header file.', 'FACT', '{}', NULL, NULL, NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:51.077+00', NULL, 'ACTIVE', NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: knowledge_mark; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: knowledge_outcome; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: knowledge_serving; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: label; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.label VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd86-7596-a35b-84401e8d1865', 'Bug', '#ef4444', '2026-11-29 15:44:50.042+00', NULL, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd88-73c0-92d7-a6ecc0b06252', 'Feature', '#8b5cf6', '2026-11-29 15:44:50.042+00', NULL, NULL, NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd8b-73e3-88a2-e81cc868ba20', 'Docs', '#0ea5e9', '2026-11-29 15:44:50.042+00', NULL, NULL, NULL);


--
-- Data for Name: migration_claims; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_claims VALUES
	('001_claims', '2026-11-29T15:44:49.329Z', '0.1.0'),
	('002_lapses', '2026-11-29T15:44:49.332Z', '0.1.0');


--
-- Data for Name: migration_claims_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_claims_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_comments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_comments VALUES
	('001_comments', '2026-11-29T15:44:49.445Z', '0.1.0'),
	('002_body_bytes', '2026-11-29T15:44:49.450Z', '0.1.0'),
	('003_questions', '2026-11-29T15:44:49.456Z', '0.1.0'),
	('004_trash', '2026-11-29T15:44:49.459Z', '0.1.0');


--
-- Data for Name: migration_comments_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_comments_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_core VALUES
	('001_accounts', '2026-11-29T15:44:49.127Z', '0.1.0'),
	('002_confined_tokens', '2026-11-29T15:44:49.128Z', '0.1.0'),
	('003_sessions', '2026-11-29T15:44:49.130Z', '0.1.0'),
	('004_events', '2026-11-29T15:44:49.136Z', '0.1.0'),
	('005_idempotency_keys', '2026-11-29T15:44:49.139Z', '0.1.0'),
	('006_consumer_attempts', '2026-11-29T15:44:49.140Z', '0.1.0'),
	('007_consumer_crashes', '2026-11-29T15:44:49.141Z', '0.1.0'),
	('008_job_crashes', '2026-11-29T15:44:49.144Z', '0.1.0'),
	('009_sign_in_places', '2026-11-29T15:44:49.146Z', '0.1.0');


--
-- Data for Name: migration_core_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_core_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_delegation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_delegation VALUES
	('001_agent_runs', '2026-11-29T15:44:49.704Z', '0.1.0'),
	('002_depth', '2026-11-29T15:44:49.707Z', '0.1.0'),
	('003_waiting', '2026-11-29T15:44:49.710Z', '0.1.0'),
	('004_output_age', '2026-11-29T15:44:49.712Z', '0.1.0'),
	('005_budget', '2026-11-29T15:44:49.713Z', '0.1.0'),
	('006_steps', '2026-11-29T15:44:49.714Z', '0.1.0'),
	('007_results', '2026-11-29T15:44:49.717Z', '0.1.0'),
	('008_runner', '2026-11-29T15:44:49.718Z', '0.1.0');


--
-- Data for Name: migration_delegation_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_delegation_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_demo; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_demo VALUES
	('001_sample_boards', '2026-11-29T15:44:49.870Z', '0.1.0');


--
-- Data for Name: migration_demo_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_demo_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_embeddings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_embeddings VALUES
	('001_embeddings', '2026-11-29T15:44:49.532Z', '0.1.0'),
	('002_key_by_id', '2026-11-29T15:44:49.535Z', '0.1.0');


--
-- Data for Name: migration_embeddings_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_embeddings_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_files; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_files VALUES
	('001_files', '2026-11-29T15:44:49.353Z', '0.1.0');


--
-- Data for Name: migration_files_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_files_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_git; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_git VALUES
	('001_git', '2026-11-29T15:44:49.854Z', '0.1.0');


--
-- Data for Name: migration_git_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_git_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_hooks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_hooks VALUES
	('001_hooks', '2026-11-29T15:44:49.736Z', '0.1.0'),
	('002_writes', '2026-11-29T15:44:49.738Z', '0.1.0'),
	('003_told_at', '2026-11-29T15:44:49.741Z', '0.1.0');


--
-- Data for Name: migration_hooks_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_hooks_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_inbox; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_inbox VALUES
	('001_inbox', '2026-11-29T15:44:49.772Z', '0.1.0');


--
-- Data for Name: migration_inbox_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_inbox_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_insights; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_insights VALUES
	('001_steps', '2026-11-29T15:44:49.825Z', '0.1.0');


--
-- Data for Name: migration_insights_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_insights_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_issues; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_issues VALUES
	('001_issues', '2026-11-29T15:44:49.235Z', '0.1.0'),
	('002_tally_order', '2026-11-29T15:44:49.236Z', '0.1.0'),
	('003_listing_order', '2026-11-29T15:44:49.238Z', '0.1.0'),
	('004_description_bytes', '2026-11-29T15:44:49.242Z', '0.1.0'),
	('005_imported_keys', '2026-11-29T15:44:49.245Z', '0.1.0'),
	('006_git_links', '2026-11-29T15:44:49.246Z', '0.1.0'),
	('007_claims', '2026-11-29T15:44:49.247Z', '0.1.0'),
	('008_tally_shard', '2026-11-29T15:44:49.248Z', '0.1.0'),
	('009_ticks', '2026-11-29T15:44:49.249Z', '0.1.0'),
	('010_large_boards', '2026-11-29T15:44:49.250Z', '0.1.0'),
	('011_tally_values', '2026-11-29T15:44:49.254Z', '0.1.0'),
	('012_to_begin', '2026-11-29T15:44:49.258Z', '0.1.0'),
	('013_tally_beside', '2026-11-29T15:44:49.260Z', '0.1.0'),
	('014_plain_indexes', '2026-11-29T15:44:49.272Z', '0.1.0'),
	('015_former_values', '2026-11-29T15:44:49.277Z', '0.1.0'),
	('016_things_tally', '2026-11-29T15:44:49.285Z', '0.1.0'),
	('017_trash', '2026-11-29T15:44:49.288Z', '0.1.0'),
	('018_history_ids', '2026-11-29T15:44:49.289Z', '0.1.0'),
	('019_history_of_states', '2026-11-29T15:44:49.292Z', '0.1.0'),
	('020_filter_index', '2026-11-29T15:44:49.293Z', '0.1.0');


--
-- Data for Name: migration_issues_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_issues_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_knowledge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_knowledge VALUES
	('001_knowledge', '2026-11-29T15:44:49.625Z', '0.1.0'),
	('002_serving_issue', '2026-11-29T15:44:49.626Z', '0.1.0'),
	('003_servings_of_issue', '2026-11-29T15:44:49.627Z', '0.1.0'),
	('004_servings_age', '2026-11-29T15:44:49.628Z', '0.1.0'),
	('005_trash', '2026-11-29T15:44:49.633Z', '0.1.0'),
	('006_outcomes', '2026-11-29T15:44:49.637Z', '0.1.0');


--
-- Data for Name: migration_knowledge_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_knowledge_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_passwords; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_passwords VALUES
	('001_passwords', '2026-11-29T15:44:49.755Z', '0.1.0'),
	('002_delays', '2026-11-29T15:44:49.756Z', '0.1.0');


--
-- Data for Name: migration_passwords_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_passwords_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_projects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_projects VALUES
	('001_projects', '2026-11-29T15:44:49.399Z', '0.1.0'),
	('002_description_bytes', '2026-11-29T15:44:49.401Z', '0.1.0'),
	('003_project_tally', '2026-11-29T15:44:49.404Z', '0.1.0'),
	('004_trash', '2026-11-29T15:44:49.407Z', '0.1.0'),
	('005_planning', '2026-11-29T15:44:49.415Z', '0.1.0'),
	('006_cycles', '2026-11-29T15:44:49.421Z', '0.1.0'),
	('007_activity', '2026-11-29T15:44:49.425Z', '0.1.0');


--
-- Data for Name: migration_projects_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_projects_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_proof; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_proof VALUES
	('001_proof', '2026-11-29T15:44:49.373Z', '0.1.0');


--
-- Data for Name: migration_proof_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_proof_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_reactions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_reactions VALUES
	('001_reactions', '2026-11-29T15:44:49.489Z', '0.1.0');


--
-- Data for Name: migration_reactions_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_reactions_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_revisions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_revisions VALUES
	('001_revisions', '2026-11-29T15:44:49.476Z', '0.1.0');


--
-- Data for Name: migration_revisions_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_revisions_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_search; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_search VALUES
	('001_search', '2026-11-29T15:44:49.565Z', '0.1.0'),
	('002_cheap_changes', '2026-11-29T15:44:49.566Z', '0.1.0'),
	('003_key_by_id', '2026-11-29T15:44:49.567Z', '0.1.0'),
	('004_timeline', '2026-11-29T15:44:49.569Z', '0.1.0'),
	('005_similar', '2026-11-29T15:44:49.571Z', '0.1.0'),
	('006_tokens_version', '2026-11-29T15:44:49.573Z', '0.1.0');


--
-- Data for Name: migration_search_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_search_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_templates; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_templates VALUES
	('001_templates', '2026-11-29T15:44:49.801Z', '0.1.0');


--
-- Data for Name: migration_templates_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_templates_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_transfer; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_transfer VALUES
	('001_transfer', '2026-11-29T15:44:49.590Z', '0.1.0'),
	('002_sources', '2026-11-29T15:44:49.592Z', '0.1.0');


--
-- Data for Name: migration_transfer_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_transfer_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_trash; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_trash VALUES
	('001_trash', '2026-11-29T15:44:49.604Z', '0.1.0');


--
-- Data for Name: migration_trash_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_trash_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_usage VALUES
	('001_usage', '2026-11-29T15:44:49.663Z', '0.1.0');


--
-- Data for Name: migration_usage_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_usage_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_views; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_views VALUES
	('001_views', '2026-11-29T15:44:49.789Z', '0.1.0');


--
-- Data for Name: migration_views_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_views_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_webhooks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_webhooks VALUES
	('001_webhooks', '2026-11-29T15:44:49.840Z', '0.1.0');


--
-- Data for Name: migration_webhooks_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_webhooks_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_workspace; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_workspace VALUES
	('001_teams', '2026-11-29T15:44:49.173Z', '0.1.0'),
	('002_closing', '2026-11-29T15:44:49.174Z', '0.1.0'),
	('003_trash', '2026-11-29T15:44:49.178Z', '0.1.0');


--
-- Data for Name: migration_workspace_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_workspace_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: milestone; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: password; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: project; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.project VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-ff8c-7013-97b1-e2d3ddb27abd', 'Exports', NULL, '', NULL, '01a227fa-fd7d-75d1-87af-c49bb8ae1088', '2026-11-29 15:44:50.572+00', '2026-11-29 15:44:50.572+00', NULL, DEFAULT, NULL, NULL, 'PLANNED', NULL, '{}', NULL, NULL);


--
-- Data for Name: project_update; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reaction; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sample_board; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: saved_view; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: search_document; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_document VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 'knowledge', '01a227fb-0162-76b8-a0fa-649560e88fd3', '{484527029,316528224,921591127,381613092,624130865,899284990,745495085}', '{484527029,316528224,921591127,381613092,624130865,899284990,745495085}', '{}', '{484527029,316528224,921591127,381613092,624130865,899284990,745495085}', '{}', '{316528224:0.614062,381613092:0.614062,484527029:0.614062,624130865:0.614062,745495085:0.614062,899284990:0.614062,921591127:0.614062}/1000000000', 'ddf58e98c69f072e4a63958b6be7f12908c3ae13');


--
-- Data for Name: search_pool; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_pool VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 'knowledge', 1, 2);


--
-- Data for Name: search_reindex; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: search_term; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_term VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 316528224, 'knowledge', 'export', 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 381613092, 'knowledge', 'column', 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 484527029, 'knowledge', 'csv', 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 624130865, 'knowledge', 'order', 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 745495085, 'knowledge', 'file', 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 899284990, 'knowledge', 'header', 1),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 921591127, 'knowledge', 'write', 1);


--
-- Data for Name: search_timeline; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: service_agent; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sign_in_failure; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sign_in_place; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: team; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.team VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'ENG', 'Engineering', '2026-11-29 15:44:50.042+00', NULL, 'ANY');


--
-- Data for Name: text_revision; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.token VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd95-7092-9bd2-af51ee9f94a4', '01a227fa-fd7d-75d1-87af-c49bb8ae1088', 'First token', '\xefd48229830a41bfd1ede46a64af2259c96616723e2da743b23992c6c9ef0ec9', '2026-11-29 15:44:50.067+00', '2026-11-29 15:44:50.454+00', NULL, NULL, NULL, 'ACCESS'),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-ff2b-710b-8331-f551a1762036', '01a227fa-ff29-72fd-818f-c4dcc48c2e7a', 'Agent token', '\x12d5ec995ab8f89ba8a559ef4386a132eff8a34e5f0ba154e77616297e99451c', '2026-11-29 15:44:50.465+00', NULL, NULL, NULL, NULL, 'ACCESS');


--
-- Data for Name: trash_start; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usage_report; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_delivery; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: workflow_state; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workflow_state VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-786ed0c1320f', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'Triage', 'TRIAGE', 0, '#f59e0b', '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-7fcfa8c43fb9', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'Backlog', 'BACKLOG', 1, '#94a3b8', '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-828314dde72c', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'Todo', 'UNSTARTED', 2, '#cbd5e1', '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-87345d7f1843', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'In Progress', 'STARTED', 3, '#eab308', '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-883db03c84df', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'In Review', 'STARTED', 4, '#22c55e', '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-8ef3dd81021d', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'Done', 'COMPLETED', 5, '#6366f1', '2026-11-29 15:44:50.042+00', NULL),
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', '01a227fa-fd83-741b-a230-9229298136aa', '01a227fa-fd81-7254-9a47-a8267b5e7972', 'Canceled', 'CANCELED', 6, '#64748b', '2026-11-29 15:44:50.042+00', NULL);


--
-- Data for Name: workspace; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspace VALUES
	('01a227fa-fd7c-70eb-8991-c08ea0a23579', 'Tracker', '2026-11-29 15:44:50.042+00');


--
-- Name: agent_run_event_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.agent_run_event_seq_seq', 1, false);


--
-- Name: event_position; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.event_position', 15, true);


--
-- Name: webhook_delivery_position_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.webhook_delivery_position_seq', 1, false);


--
-- Name: bam bam_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);


--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);


--
-- Name: job_common job_common_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);


--
-- Name: job_dependency job_dependency_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);


--
-- Name: queue queue_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);


--
-- Name: queue_stats queue_stats_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);


--
-- Name: queue_stats_20261129 queue_stats_20261129_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats_20261129
    ADD CONSTRAINT queue_stats_20261129_pkey PRIMARY KEY (id, captured_on);


--
-- Name: queue_stats_20261130 queue_stats_20261130_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats_20261130
    ADD CONSTRAINT queue_stats_20261130_pkey PRIMARY KEY (id, captured_on);


--
-- Name: schedule schedule_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);


--
-- Name: subscription subscription_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);


--
-- Name: version version_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);


--
-- Name: warning warning_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);


--
-- Name: account account_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: agent_run_event agent_run_event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run_event
    ADD CONSTRAINT agent_run_event_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: agent_run agent_run_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: comment comment_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: comment_question_addressee comment_question_addressee_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question_addressee
    ADD CONSTRAINT comment_question_addressee_pkey PRIMARY KEY (workspace_id, comment_id, account_id);


--
-- Name: comment_question comment_question_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_pkey PRIMARY KEY (workspace_id, comment_id);


--
-- Name: cycle cycle_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cycle
    ADD CONSTRAINT cycle_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: cycle_rule cycle_rule_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cycle_rule
    ADD CONSTRAINT cycle_rule_pkey PRIMARY KEY (workspace_id, team_id);


--
-- Name: embedding embedding_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedding
    ADD CONSTRAINT embedding_pkey PRIMARY KEY (workspace_id, pool, id, part, model);


--
-- Name: embedding_pool embedding_pool_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedding_pool
    ADD CONSTRAINT embedding_pool_pkey PRIMARY KEY (workspace_id, pool);


--
-- Name: embedding_text embedding_text_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedding_text
    ADD CONSTRAINT embedding_text_pkey PRIMARY KEY (workspace_id, id, pool, part);


--
-- Name: event_consumer event_consumer_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_consumer
    ADD CONSTRAINT event_consumer_pkey PRIMARY KEY (name, partition);


--
-- Name: event_dead_letter event_dead_letter_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_dead_letter
    ADD CONSTRAINT event_dead_letter_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: event_dead_letter event_dead_letter_workspace_id_consumer_event_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_dead_letter
    ADD CONSTRAINT event_dead_letter_workspace_id_consumer_event_id_key UNIQUE (workspace_id, consumer, event_id);


--
-- Name: event_partition event_partition_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_partition
    ADD CONSTRAINT event_partition_pkey PRIMARY KEY (partition);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (workspace_id, partition, "position");


--
-- Name: favourite favourite_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.favourite
    ADD CONSTRAINT favourite_pkey PRIMARY KEY (workspace_id, account_id, subject_type, subject_id);


--
-- Name: file_part file_part_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file_part
    ADD CONSTRAINT file_part_pkey PRIMARY KEY (workspace_id, file_id, n);


--
-- Name: file file_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: file_usage file_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file_usage
    ADD CONSTRAINT file_usage_pkey PRIMARY KEY (workspace_id);


--
-- Name: git_delivery git_delivery_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.git_delivery
    ADD CONSTRAINT git_delivery_pkey PRIMARY KEY (workspace_id, hook_id, delivery_id);


--
-- Name: git_delivery git_delivery_workspace_id_hook_id_signature_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.git_delivery
    ADD CONSTRAINT git_delivery_workspace_id_hook_id_signature_key UNIQUE (workspace_id, hook_id, signature);


--
-- Name: git_hook git_hook_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.git_hook
    ADD CONSTRAINT git_hook_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: hook_session_issue hook_session_issue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_session_issue
    ADD CONSTRAINT hook_session_issue_pkey PRIMARY KEY (workspace_id, session_id, issue_id);


--
-- Name: hook_session hook_session_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_session
    ADD CONSTRAINT hook_session_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: hook_session hook_session_workspace_id_account_id_harness_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_session
    ADD CONSTRAINT hook_session_workspace_id_account_id_harness_name_key UNIQUE (workspace_id, account_id, harness, name);


--
-- Name: hook_write hook_write_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_write
    ADD CONSTRAINT hook_write_pkey PRIMARY KEY (workspace_id, account_id, issue_id);


--
-- Name: idempotency_key idempotency_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (workspace_id, token_id, key);


--
-- Name: imported_record imported_record_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imported_record
    ADD CONSTRAINT imported_record_pkey PRIMARY KEY (workspace_id, kind, source, external_id);


--
-- Name: inbox_entry inbox_entry_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_entry
    ADD CONSTRAINT inbox_entry_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: inbox_entry inbox_entry_workspace_id_account_id_subject_id_reason_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_entry
    ADD CONSTRAINT inbox_entry_workspace_id_account_id_subject_id_reason_key UNIQUE (workspace_id, account_id, subject_id, reason);


--
-- Name: inbox_watch inbox_watch_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_watch
    ADD CONSTRAINT inbox_watch_pkey PRIMARY KEY (workspace_id, issue_id, account_id);


--
-- Name: insight_step insight_step_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.insight_step
    ADD CONSTRAINT insight_step_pkey PRIMARY KEY (workspace_id, issue_id, n);


--
-- Name: issue_change issue_change_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_change
    ADD CONSTRAINT issue_change_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_claim_lapse issue_claim_lapse_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_claim_lapse
    ADD CONSTRAINT issue_claim_lapse_pkey PRIMARY KEY (workspace_id, issue_id, at);


--
-- Name: issue_claim issue_claim_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_claim
    ADD CONSTRAINT issue_claim_pkey PRIMARY KEY (workspace_id, issue_id);


--
-- Name: issue_counter issue_counter_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_counter
    ADD CONSTRAINT issue_counter_pkey PRIMARY KEY (workspace_id, team_id);


--
-- Name: issue_former_description issue_former_description_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_description
    ADD CONSTRAINT issue_former_description_pkey PRIMARY KEY (workspace_id, issue_id, rev);


--
-- Name: issue_former_key issue_former_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_key
    ADD CONSTRAINT issue_former_key_pkey PRIMARY KEY (workspace_id, team_id, number);


--
-- Name: issue_key_reservation issue_key_reservation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_key_reservation
    ADD CONSTRAINT issue_key_reservation_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_key_reservation issue_key_reservation_workspace_id_team_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_key_reservation
    ADD CONSTRAINT issue_key_reservation_workspace_id_team_id_number_key UNIQUE (workspace_id, team_id, number);


--
-- Name: issue_label issue_label_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_label
    ADD CONSTRAINT issue_label_pkey PRIMARY KEY (workspace_id, issue_id, label_id);


--
-- Name: issue_link issue_link_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_link
    ADD CONSTRAINT issue_link_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_lost_claim issue_lost_claim_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_lost_claim
    ADD CONSTRAINT issue_lost_claim_pkey PRIMARY KEY (workspace_id, issue_id, account_id, session);


--
-- Name: issue_old_key issue_old_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_old_key
    ADD CONSTRAINT issue_old_key_pkey PRIMARY KEY (workspace_id, key, issue_id);


--
-- Name: issue issue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_relation issue_relation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_relation
    ADD CONSTRAINT issue_relation_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_resolution issue_resolution_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_resolution
    ADD CONSTRAINT issue_resolution_pkey PRIMARY KEY (workspace_id, issue_id);


--
-- Name: issue_similar issue_similar_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_similar
    ADD CONSTRAINT issue_similar_pkey PRIMARY KEY (workspace_id, issue_id);


--
-- Name: issue_tally issue_tally_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tally
    ADD CONSTRAINT issue_tally_pkey PRIMARY KEY (workspace_id, team_id, state_id, shard);


--
-- Name: issue_template issue_template_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_template
    ADD CONSTRAINT issue_template_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_things_tally issue_things_tally_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_things_tally
    ADD CONSTRAINT issue_things_tally_pkey PRIMARY KEY (workspace_id, thing_id, shard);


--
-- Name: issue_tick issue_tick_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tick
    ADD CONSTRAINT issue_tick_pkey PRIMARY KEY (workspace_id, issue_id, digest, occurrence);


--
-- Name: issue_told_change issue_told_change_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_told_change
    ADD CONSTRAINT issue_told_change_pkey PRIMARY KEY (workspace_id, issue_id, account_id);


--
-- Name: issue issue_workspace_id_team_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_team_id_number_key UNIQUE (workspace_id, team_id, number);


--
-- Name: job_crash job_crash_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.job_crash
    ADD CONSTRAINT job_crash_pkey PRIMARY KEY (job);


--
-- Name: knowledge_entry knowledge_entry_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: knowledge_mark knowledge_mark_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_mark
    ADD CONSTRAINT knowledge_mark_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: knowledge_outcome knowledge_outcome_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_outcome
    ADD CONSTRAINT knowledge_outcome_pkey PRIMARY KEY (workspace_id, entry_id, issue_id);


--
-- Name: knowledge_serving knowledge_serving_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_serving
    ADD CONSTRAINT knowledge_serving_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: label label_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.label
    ADD CONSTRAINT label_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: migration_claims_lock migration_claims_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_claims_lock
    ADD CONSTRAINT migration_claims_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_claims migration_claims_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_claims
    ADD CONSTRAINT migration_claims_pkey PRIMARY KEY (name);


--
-- Name: migration_comments_lock migration_comments_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_comments_lock
    ADD CONSTRAINT migration_comments_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_comments migration_comments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_comments
    ADD CONSTRAINT migration_comments_pkey PRIMARY KEY (name);


--
-- Name: migration_core_lock migration_core_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_core_lock
    ADD CONSTRAINT migration_core_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_core migration_core_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_core
    ADD CONSTRAINT migration_core_pkey PRIMARY KEY (name);


--
-- Name: migration_delegation_lock migration_delegation_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_delegation_lock
    ADD CONSTRAINT migration_delegation_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_delegation migration_delegation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_delegation
    ADD CONSTRAINT migration_delegation_pkey PRIMARY KEY (name);


--
-- Name: migration_demo_lock migration_demo_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_demo_lock
    ADD CONSTRAINT migration_demo_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_demo migration_demo_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_demo
    ADD CONSTRAINT migration_demo_pkey PRIMARY KEY (name);


--
-- Name: migration_embeddings_lock migration_embeddings_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_embeddings_lock
    ADD CONSTRAINT migration_embeddings_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_embeddings migration_embeddings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_embeddings
    ADD CONSTRAINT migration_embeddings_pkey PRIMARY KEY (name);


--
-- Name: migration_files_lock migration_files_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_files_lock
    ADD CONSTRAINT migration_files_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_files migration_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_files
    ADD CONSTRAINT migration_files_pkey PRIMARY KEY (name);


--
-- Name: migration_git_lock migration_git_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_git_lock
    ADD CONSTRAINT migration_git_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_git migration_git_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_git
    ADD CONSTRAINT migration_git_pkey PRIMARY KEY (name);


--
-- Name: migration_hooks_lock migration_hooks_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_hooks_lock
    ADD CONSTRAINT migration_hooks_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_hooks migration_hooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_hooks
    ADD CONSTRAINT migration_hooks_pkey PRIMARY KEY (name);


--
-- Name: migration_inbox_lock migration_inbox_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_inbox_lock
    ADD CONSTRAINT migration_inbox_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_inbox migration_inbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_inbox
    ADD CONSTRAINT migration_inbox_pkey PRIMARY KEY (name);


--
-- Name: migration_insights_lock migration_insights_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_insights_lock
    ADD CONSTRAINT migration_insights_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_insights migration_insights_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_insights
    ADD CONSTRAINT migration_insights_pkey PRIMARY KEY (name);


--
-- Name: migration_issues_lock migration_issues_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_issues_lock
    ADD CONSTRAINT migration_issues_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_issues migration_issues_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_issues
    ADD CONSTRAINT migration_issues_pkey PRIMARY KEY (name);


--
-- Name: migration_knowledge_lock migration_knowledge_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_knowledge_lock
    ADD CONSTRAINT migration_knowledge_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_knowledge migration_knowledge_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_knowledge
    ADD CONSTRAINT migration_knowledge_pkey PRIMARY KEY (name);


--
-- Name: migration_passwords_lock migration_passwords_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_passwords_lock
    ADD CONSTRAINT migration_passwords_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_passwords migration_passwords_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_passwords
    ADD CONSTRAINT migration_passwords_pkey PRIMARY KEY (name);


--
-- Name: migration_projects_lock migration_projects_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_projects_lock
    ADD CONSTRAINT migration_projects_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_projects migration_projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_projects
    ADD CONSTRAINT migration_projects_pkey PRIMARY KEY (name);


--
-- Name: migration_proof_lock migration_proof_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_proof_lock
    ADD CONSTRAINT migration_proof_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_proof migration_proof_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_proof
    ADD CONSTRAINT migration_proof_pkey PRIMARY KEY (name);


--
-- Name: migration_reactions_lock migration_reactions_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_reactions_lock
    ADD CONSTRAINT migration_reactions_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_reactions migration_reactions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_reactions
    ADD CONSTRAINT migration_reactions_pkey PRIMARY KEY (name);


--
-- Name: migration_revisions_lock migration_revisions_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_revisions_lock
    ADD CONSTRAINT migration_revisions_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_revisions migration_revisions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_revisions
    ADD CONSTRAINT migration_revisions_pkey PRIMARY KEY (name);


--
-- Name: migration_search_lock migration_search_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_search_lock
    ADD CONSTRAINT migration_search_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_search migration_search_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_search
    ADD CONSTRAINT migration_search_pkey PRIMARY KEY (name);


--
-- Name: migration_templates_lock migration_templates_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_templates_lock
    ADD CONSTRAINT migration_templates_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_templates migration_templates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_templates
    ADD CONSTRAINT migration_templates_pkey PRIMARY KEY (name);


--
-- Name: migration_transfer_lock migration_transfer_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_transfer_lock
    ADD CONSTRAINT migration_transfer_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_transfer migration_transfer_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_transfer
    ADD CONSTRAINT migration_transfer_pkey PRIMARY KEY (name);


--
-- Name: migration_trash_lock migration_trash_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_trash_lock
    ADD CONSTRAINT migration_trash_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_trash migration_trash_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_trash
    ADD CONSTRAINT migration_trash_pkey PRIMARY KEY (name);


--
-- Name: migration_usage_lock migration_usage_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_usage_lock
    ADD CONSTRAINT migration_usage_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_usage migration_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_usage
    ADD CONSTRAINT migration_usage_pkey PRIMARY KEY (name);


--
-- Name: migration_views_lock migration_views_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_views_lock
    ADD CONSTRAINT migration_views_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_views migration_views_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_views
    ADD CONSTRAINT migration_views_pkey PRIMARY KEY (name);


--
-- Name: migration_webhooks_lock migration_webhooks_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_webhooks_lock
    ADD CONSTRAINT migration_webhooks_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_webhooks migration_webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_webhooks
    ADD CONSTRAINT migration_webhooks_pkey PRIMARY KEY (name);


--
-- Name: migration_workspace_lock migration_workspace_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_workspace_lock
    ADD CONSTRAINT migration_workspace_lock_pkey PRIMARY KEY (id);


--
-- Name: migration_workspace migration_workspace_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migration_workspace
    ADD CONSTRAINT migration_workspace_pkey PRIMARY KEY (name);


--
-- Name: milestone milestone_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.milestone
    ADD CONSTRAINT milestone_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: password password_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password
    ADD CONSTRAINT password_pkey PRIMARY KEY (workspace_id, account_id);


--
-- Name: project project_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: project_update project_update_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_update
    ADD CONSTRAINT project_update_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: reaction reaction_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reaction
    ADD CONSTRAINT reaction_pkey PRIMARY KEY (workspace_id, comment_id, emoji, account_id);


--
-- Name: sample_board sample_board_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sample_board
    ADD CONSTRAINT sample_board_pkey PRIMARY KEY (workspace_id);


--
-- Name: saved_view saved_view_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: search_document search_document_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_document
    ADD CONSTRAINT search_document_pkey PRIMARY KEY (workspace_id, id, pool);


--
-- Name: search_pool search_pool_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pool
    ADD CONSTRAINT search_pool_pkey PRIMARY KEY (workspace_id, pool);


--
-- Name: search_reindex search_reindex_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_reindex
    ADD CONSTRAINT search_reindex_pkey PRIMARY KEY (workspace_id);


--
-- Name: search_term search_term_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_term
    ADD CONSTRAINT search_term_pkey PRIMARY KEY (workspace_id, term);


--
-- Name: search_timeline search_timeline_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_timeline
    ADD CONSTRAINT search_timeline_pkey PRIMARY KEY (workspace_id);


--
-- Name: service_agent service_agent_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.service_agent
    ADD CONSTRAINT service_agent_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: sign_in_failure sign_in_failure_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_failure
    ADD CONSTRAINT sign_in_failure_pkey PRIMARY KEY (subject);


--
-- Name: sign_in_place sign_in_place_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_place
    ADD CONSTRAINT sign_in_place_pkey PRIMARY KEY (workspace_id, account_id, place);


--
-- Name: team team_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: text_revision text_revision_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.text_revision
    ADD CONSTRAINT text_revision_pkey PRIMARY KEY (workspace_id, subject_type, subject_id, n);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: trash_start trash_start_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trash_start
    ADD CONSTRAINT trash_start_pkey PRIMARY KEY (workspace_id);


--
-- Name: usage_report usage_report_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_report
    ADD CONSTRAINT usage_report_pkey PRIMARY KEY (workspace_id, token_id, report_id);


--
-- Name: webhook_delivery webhook_delivery_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: webhook webhook_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: workflow_state workflow_state_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflow_state
    ADD CONSTRAINT workflow_state_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: workspace workspace_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (id);


--
-- Name: job_common_i1; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));


--
-- Name: job_common_i2; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));


--
-- Name: job_common_i3; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));


--
-- Name: job_common_i4; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));


--
-- Name: job_common_i5; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i5 ON pgboss.job_common USING btree (name, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));


--
-- Name: job_common_i6; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));


--
-- Name: job_common_i7; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));


--
-- Name: job_common_i8; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));


--
-- Name: job_common_i9; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i9 ON pgboss.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));


--
-- Name: job_dep_parent_idx; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_dep_parent_idx ON pgboss.job_dependency USING btree (parent_name, parent_id);


--
-- Name: queue_stats_i1; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX queue_stats_i1 ON ONLY pgboss.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);


--
-- Name: queue_stats_20261129_name_captured_on_deferred_count_queued_idx; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX queue_stats_20261129_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261129 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);


--
-- Name: queue_stats_20261130_name_captured_on_deferred_count_queued_idx; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX queue_stats_20261130_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261130 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);


--
-- Name: warning_i1; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);


--
-- Name: account_email; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX account_email ON public.account USING btree (workspace_id, lower(email)) WHERE (deleted_at IS NULL);


--
-- Name: agent_run_active; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX agent_run_active ON public.agent_run USING btree (workspace_id, issue_id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'WAITING'::text]));


--
-- Name: agent_run_event_output; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_event_output ON public.agent_run_event USING btree (at) WHERE (type <> 'status'::text);


--
-- Name: agent_run_event_run; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_event_run ON public.agent_run_event USING btree (workspace_id, run_id, seq);


--
-- Name: agent_run_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_issue ON public.agent_run USING btree (workspace_id, issue_id, id DESC);


--
-- Name: agent_run_lease; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_lease ON public.agent_run USING btree (lease_until) WHERE (status = 'RUNNING'::text);


--
-- Name: agent_run_queued; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_queued ON public.agent_run USING btree (created_at) WHERE (status = 'QUEUED'::text);


--
-- Name: agent_run_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_status ON public.agent_run USING btree (workspace_id, status, id DESC);


--
-- Name: agent_run_unreviewed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_run_unreviewed ON public.agent_run USING btree (workspace_id, issue_id) WHERE ((result_at IS NOT NULL) AND (review IS NULL));


--
-- Name: comment_author; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_author ON public.comment USING btree (workspace_id, author_id, created_at);


--
-- Name: comment_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_issue ON public.comment USING btree (workspace_id, issue_id, created_at, id);


--
-- Name: comment_question_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_question_issue ON public.comment_question USING btree (workspace_id, issue_id);


--
-- Name: comment_question_token; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_question_token ON public.comment_question USING btree (workspace_id, token_id);


--
-- Name: comment_question_unheard; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_question_unheard ON public.comment_question USING btree (workspace_id, asked_by_id) WHERE ((closed_at IS NOT NULL) AND (heard_at IS NULL));


--
-- Name: comment_trash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_trash ON public.comment USING btree (workspace_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));


--
-- Name: cycle_team; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX cycle_team ON public.cycle USING btree (workspace_id, team_id, ends_at) WHERE (deleted_at IS NULL);


--
-- Name: embedding_text_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX embedding_text_waiting ON public.embedding_text USING btree (workspace_id, pool, part, id DESC) WHERE waiting;


--
-- Name: event_in_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX event_in_order ON public.event USING btree (partition, "position");


--
-- Name: event_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX event_issue ON public.event USING btree (workspace_id, issue_id, "position") WHERE (issue_id IS NOT NULL);


--
-- Name: event_of_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX event_of_project ON public.event USING btree (workspace_id, subject_id, "position") WHERE (subject_type = ANY (ARRAY['project'::text, 'milestone'::text, 'project_update'::text]));


--
-- Name: favourite_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX favourite_subject ON public.favourite USING btree (workspace_id, subject_id);


--
-- Name: file_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX file_subject ON public.file USING btree (workspace_id, subject_type, subject_id, id) WHERE (subject_id IS NOT NULL);


--
-- Name: file_unused; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX file_unused ON public.file USING btree (created_at) WHERE (subject_id IS NULL);


--
-- Name: git_delivery_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX git_delivery_at ON public.git_delivery USING btree (at);


--
-- Name: git_hook_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX git_hook_id ON public.git_hook USING btree (id);


--
-- Name: hook_session_issue_told; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX hook_session_issue_told ON public.hook_session_issue USING btree (workspace_id, issue_id, told_at DESC);


--
-- Name: idempotency_key_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_key_created ON public.idempotency_key USING btree (created_at);


--
-- Name: imported_record_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imported_record_id ON public.imported_record USING btree (workspace_id, kind, id);


--
-- Name: inbox_entry_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_entry_order ON public.inbox_entry USING btree (workspace_id, account_id, at DESC, id DESC);


--
-- Name: inbox_entry_read; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_entry_read ON public.inbox_entry USING btree (read_at) WHERE (read_at IS NOT NULL);


--
-- Name: inbox_entry_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_entry_subject ON public.inbox_entry USING btree (workspace_id, subject_id);


--
-- Name: inbox_entry_unread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_entry_unread ON public.inbox_entry USING btree (workspace_id, account_id, at DESC, id DESC) WHERE (read_at IS NULL);


--
-- Name: insight_step_closing; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_step_closing ON public.insight_step USING btree (workspace_id, closes_at) INCLUDE (team_id, issue_id, from_state_id, from_state_name, seconds, is_first) WHERE (closes_at IS NOT NULL);


--
-- Name: insight_step_figure; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_step_figure ON public.insight_step USING btree (workspace_id, figure, at) INCLUDE (team_id, issue_id, account_id, started_at, is_proven, completed_before) WHERE (figure IS NOT NULL);


--
-- Name: insight_step_started; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_step_started ON public.insight_step USING btree (workspace_id, started_until) INCLUDE (team_id, issue_id, at, started_at) WHERE (started_until IS NOT NULL);


--
-- Name: insight_step_unproven; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX insight_step_unproven ON public.insight_step USING btree (workspace_id, issue_id) WHERE ((figure = 'completed'::text) AND (is_proven IS NULL));


--
-- Name: issue_assignee; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_assignee ON public.issue USING btree (workspace_id, assignee_id, updated_at DESC) WHERE ((assignee_id IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: issue_by_hand; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_by_hand ON public.issue USING btree (workspace_id, ((- sort_order)) DESC, id DESC);


--
-- Name: issue_change_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_actor ON public.issue_change USING btree (workspace_id, actor_id, at);


--
-- Name: issue_change_detached; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_detached ON public.issue_change USING btree (workspace_id, from_name) WHERE ((change = 'parent'::text) AND (to_name IS NULL));


--
-- Name: issue_change_from_cycle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_from_cycle ON public.issue_change USING btree (workspace_id, COALESCE((from_id)::text, from_name)) WHERE (change = 'cycle'::text);


--
-- Name: issue_change_from_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_from_project ON public.issue_change USING btree (workspace_id, COALESCE((from_id)::text, from_name), at) WHERE (change = 'project'::text);


--
-- Name: issue_change_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_issue ON public.issue_change USING btree (workspace_id, issue_id, at, id);


--
-- Name: issue_change_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_state ON public.issue_change USING btree (workspace_id, at) WHERE (change = 'state'::text);


--
-- Name: issue_change_states; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_states ON public.issue_change USING btree (workspace_id, issue_id, at, id) WHERE (change = 'state'::text);


--
-- Name: issue_change_to_cycle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_to_cycle ON public.issue_change USING btree (workspace_id, COALESCE((to_id)::text, to_name)) WHERE (change = 'cycle'::text);


--
-- Name: issue_change_to_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_to_project ON public.issue_change USING btree (workspace_id, COALESCE((to_id)::text, to_name), at) WHERE (change = 'project'::text);


--
-- Name: issue_claim_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_claim_due ON public.issue_claim USING btree (expires_at) WHERE ((ended_at IS NULL) AND (lapsed_at IS NULL));


--
-- Name: issue_claim_holder; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_claim_holder ON public.issue_claim USING btree (workspace_id, holder_id) WHERE (ended_at IS NULL);


--
-- Name: issue_claim_lapse_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_claim_lapse_at ON public.issue_claim_lapse USING btree (workspace_id, at);


--
-- Name: issue_completed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_completed ON public.issue USING btree (workspace_id, completed_at) WHERE (completed_at IS NOT NULL);


--
-- Name: issue_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_created ON public.issue USING btree (workspace_id, created_at DESC, id DESC);


--
-- Name: issue_created_by; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_created_by ON public.issue USING btree (workspace_id, created_by_id);


--
-- Name: issue_cycle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_cycle ON public.issue USING btree (workspace_id, cycle_id) WHERE (cycle_id IS NOT NULL);


--
-- Name: issue_due_date; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_due_date ON public.issue USING btree (workspace_id, due_date) WHERE ((due_date IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: issue_estimate; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_estimate ON public.issue USING btree (workspace_id, estimate) WHERE ((estimate IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: issue_filter; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_filter ON public.issue USING btree (workspace_id, state_id, assignee_id) INCLUDE (id, team_id, priority, created_at, updated_at, deleted_at);


--
-- Name: issue_former_description_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_former_description_age ON public.issue_former_description USING btree (replaced_at);


--
-- Name: issue_former_key_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_former_key_issue ON public.issue_former_key USING btree (workspace_id, issue_id);


--
-- Name: issue_label_label; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_label_label ON public.issue_label USING btree (workspace_id, label_id, issue_id);


--
-- Name: issue_link_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_link_issue ON public.issue_link USING btree (workspace_id, issue_id) WHERE (deleted_at IS NULL);


--
-- Name: issue_milestone; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_milestone ON public.issue USING btree (workspace_id, milestone_id) WHERE (milestone_id IS NOT NULL);


--
-- Name: issue_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_number ON public.issue USING btree (workspace_id, number DESC, id DESC);


--
-- Name: issue_old_key_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_old_key_issue ON public.issue_old_key USING btree (workspace_id, issue_id);


--
-- Name: issue_parent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_parent ON public.issue USING btree (workspace_id, parent_id) WHERE (parent_id IS NOT NULL);


--
-- Name: issue_priority; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_priority ON public.issue USING btree (workspace_id, priority DESC, id DESC);


--
-- Name: issue_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_project ON public.issue USING btree (workspace_id, project_id) WHERE (project_id IS NOT NULL);


--
-- Name: issue_relation_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX issue_relation_once ON public.issue_relation USING btree (issue_id, related_issue_id, type, workspace_id) WHERE (deleted_at IS NULL);


--
-- Name: issue_relation_other; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_relation_other ON public.issue_relation USING btree (related_issue_id, workspace_id);


--
-- Name: issue_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_state ON public.issue USING btree (workspace_id, state_id, updated_at DESC, id DESC);


--
-- Name: issue_template_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX issue_template_name ON public.issue_template USING btree (workspace_id, team_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: issue_template_trash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_template_trash ON public.issue_template USING btree (workspace_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));


--
-- Name: issue_tick_evidence; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_tick_evidence ON public.issue_tick USING btree (workspace_id, issue_id, n) WHERE (evidence IS NOT NULL);


--
-- Name: issue_to_begin; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_to_begin ON public.issue USING btree (workspace_id, state_id, (((5 - priority) % 5)) DESC, created_at, id) INCLUDE (priority) WHERE ((deleted_at IS NULL) AND described AND (criteria_total <> 0));


--
-- Name: issue_told_change_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_told_change_age ON public.issue_told_change USING btree (told_at);


--
-- Name: issue_trash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_trash ON public.issue USING btree (workspace_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));


--
-- Name: issue_updated; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_updated ON public.issue USING btree (workspace_id, updated_at DESC, id DESC);


--
-- Name: issue_urgency; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_urgency ON public.issue USING btree (workspace_id, (((5 - priority) % 5)) DESC, id DESC);


--
-- Name: knowledge_entry_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_entry_issue ON public.knowledge_entry USING btree (workspace_id, issue_id) WHERE ((issue_id IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: knowledge_entry_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_entry_newest ON public.knowledge_entry USING btree (workspace_id, id DESC) WHERE ((deleted_at IS NULL) AND (status <> 'SUPERSEDED'::text));


--
-- Name: knowledge_entry_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_entry_project ON public.knowledge_entry USING btree (workspace_id, project_id, id DESC) WHERE ((project_id IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: knowledge_entry_successor; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX knowledge_entry_successor ON public.knowledge_entry USING btree (workspace_id, supersedes_id) WHERE ((supersedes_id IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: knowledge_entry_team; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_entry_team ON public.knowledge_entry USING btree (workspace_id, team_id, id DESC) WHERE ((team_id IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: knowledge_entry_trash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_entry_trash ON public.knowledge_entry USING btree (workspace_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));


--
-- Name: knowledge_mark_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX knowledge_mark_once ON public.knowledge_mark USING btree (workspace_id, entry_id, account_id, issue_id) NULLS NOT DISTINCT;


--
-- Name: knowledge_serving_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_serving_at ON public.knowledge_serving USING btree (at);


--
-- Name: knowledge_serving_entry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_serving_entry ON public.knowledge_serving USING btree (workspace_id, entry_id, id DESC);


--
-- Name: knowledge_serving_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_serving_issue ON public.knowledge_serving USING btree (workspace_id, issue_id, id DESC) WHERE (issue_id IS NOT NULL);


--
-- Name: label_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX label_name ON public.label USING btree (workspace_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: label_trash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX label_trash ON public.label USING btree (workspace_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));


--
-- Name: milestone_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX milestone_name ON public.milestone USING btree (workspace_id, project_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: project_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX project_name ON public.project USING btree (workspace_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: project_trash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_trash ON public.project USING btree (workspace_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));


--
-- Name: project_update_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_update_time ON public.project_update USING btree (workspace_id, project_id, created_at DESC, id DESC);


--
-- Name: saved_view_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX saved_view_owner ON public.saved_view USING btree (workspace_id, owner_id);


--
-- Name: search_document_heavy_terms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_document_heavy_terms ON public.search_document USING gin (heavy_terms) WITH (fastupdate='on', gin_pending_list_limit='64');


--
-- Name: search_document_terms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_document_terms ON public.search_document USING gin (terms) WITH (fastupdate='on', gin_pending_list_limit='256');


--
-- Name: search_term_word; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_term_word ON public.search_term USING btree (workspace_id, pool, word);


--
-- Name: sign_in_failure_last_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_failure_last_at ON public.sign_in_failure USING btree (last_at);


--
-- Name: sign_in_place_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_place_expires_at ON public.sign_in_place USING btree (expires_at);


--
-- Name: team_identifier; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX team_identifier ON public.team USING btree (workspace_id, upper(identifier));


--
-- Name: text_revision_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX text_revision_issue ON public.text_revision USING btree (workspace_id, issue_id);


--
-- Name: token_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_account ON public.token USING btree (workspace_id, account_id);


--
-- Name: token_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_hash ON public.token USING btree (hash);


--
-- Name: usage_report_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_report_issue ON public.usage_report USING btree (workspace_id, issue_id) WHERE (issue_id IS NOT NULL);


--
-- Name: usage_report_run; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_report_run ON public.usage_report USING btree (workspace_id, run_id) WHERE (run_id IS NOT NULL);


--
-- Name: usage_report_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_report_time ON public.usage_report USING btree (workspace_id, created_at);


--
-- Name: webhook_delivery_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_created ON public.webhook_delivery USING btree (created_at);


--
-- Name: webhook_delivery_event; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX webhook_delivery_event ON public.webhook_delivery USING btree (workspace_id, webhook_id, event_id) WHERE ((event_id IS NOT NULL) AND (redelivery_of IS NULL));


--
-- Name: webhook_delivery_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_newest ON public.webhook_delivery USING btree (workspace_id, webhook_id, "position");


--
-- Name: webhook_delivery_pending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (workspace_id, webhook_id, subject_id, "position") WHERE (status = 'PENDING'::text);


--
-- Name: workflow_state_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX workflow_state_name ON public.workflow_state USING btree (workspace_id, team_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: job_common_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;


--
-- Name: queue_stats_20261129_name_captured_on_deferred_count_queued_idx; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261129_name_captured_on_deferred_count_queued_idx;


--
-- Name: queue_stats_20261129_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261129_pkey;


--
-- Name: queue_stats_20261130_name_captured_on_deferred_count_queued_idx; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261130_name_captured_on_deferred_count_queued_idx;


--
-- Name: queue_stats_20261130_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261130_pkey;


--
-- Name: issue issue_assignee_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_assignee_changed AFTER UPDATE OF assignee_id, deleted_at ON public.issue FOR EACH ROW WHEN (((old.assignee_id IS DISTINCT FROM new.assignee_id) OR ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)))) EXECUTE FUNCTION public.issue_assignee_changed();


--
-- Name: issue issue_assignee_set; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_assignee_set AFTER INSERT ON public.issue FOR EACH ROW WHEN (((new.assignee_id IS NOT NULL) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION public.issue_assignee_changed();


--
-- Name: issue_label issue_label_added; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_label_added AFTER INSERT ON public.issue_label REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.issue_labels_changed();


--
-- Name: issue_label issue_label_taken; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_label_taken AFTER DELETE ON public.issue_label REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.issue_labels_changed();


--
-- Name: issue issue_labels_removed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_labels_removed AFTER UPDATE OF deleted_at ON public.issue FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION public.issue_labels_removed();


--
-- Name: issue issue_project_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_project_changed AFTER UPDATE OF project_id, deleted_at ON public.issue FOR EACH ROW WHEN (((old.project_id IS DISTINCT FROM new.project_id) OR ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)))) EXECUTE FUNCTION public.issue_project_changed();


--
-- Name: issue issue_project_set; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_project_set AFTER INSERT ON public.issue FOR EACH ROW WHEN (((new.project_id IS NOT NULL) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION public.issue_project_changed();


--
-- Name: issue issue_tally_inserted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_tally_inserted AFTER INSERT ON public.issue REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.issue_tally_inserted();


--
-- Name: issue issue_tally_moved; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER issue_tally_moved AFTER UPDATE OF team_id, state_id, deleted_at ON public.issue FOR EACH ROW WHEN (((old.team_id <> new.team_id) OR (old.state_id <> new.state_id) OR ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)))) EXECUTE FUNCTION public.issue_tally_moved();


--
-- Name: job_common dlq_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;


--
-- Name: job_common q_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;


--
-- Name: queue queue_dead_letter_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);


--
-- Name: schedule schedule_name_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;


--
-- Name: subscription subscription_name_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;


--
-- Name: account account_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: account account_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: agent_run_event agent_run_event_workspace_id_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run_event
    ADD CONSTRAINT agent_run_event_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id) REFERENCES public.agent_run(workspace_id, id);


--
-- Name: agent_run agent_run_workspace_id_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES public.account(workspace_id, id);


--
-- Name: agent_run agent_run_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: agent_run agent_run_workspace_id_requested_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_workspace_id_requested_by_id_fkey FOREIGN KEY (workspace_id, requested_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: agent_run agent_run_workspace_id_reviewed_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_workspace_id_reviewed_by_id_fkey FOREIGN KEY (workspace_id, reviewed_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: agent_run agent_run_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: comment_question_addressee comment_question_addressee_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question_addressee
    ADD CONSTRAINT comment_question_addressee_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: comment_question_addressee comment_question_addressee_workspace_id_comment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question_addressee
    ADD CONSTRAINT comment_question_addressee_workspace_id_comment_id_fkey FOREIGN KEY (workspace_id, comment_id) REFERENCES public.comment_question(workspace_id, comment_id);


--
-- Name: comment_question comment_question_workspace_id_answer_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_workspace_id_answer_id_fkey FOREIGN KEY (workspace_id, answer_id) REFERENCES public.comment(workspace_id, id);


--
-- Name: comment_question comment_question_workspace_id_asked_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_workspace_id_asked_by_id_fkey FOREIGN KEY (workspace_id, asked_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: comment_question comment_question_workspace_id_closed_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_workspace_id_closed_by_id_fkey FOREIGN KEY (workspace_id, closed_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: comment_question comment_question_workspace_id_comment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_workspace_id_comment_id_fkey FOREIGN KEY (workspace_id, comment_id) REFERENCES public.comment(workspace_id, id);


--
-- Name: comment_question comment_question_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: comment_question comment_question_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment_question
    ADD CONSTRAINT comment_question_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: comment comment_workspace_id_author_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_workspace_id_author_id_fkey FOREIGN KEY (workspace_id, author_id) REFERENCES public.account(workspace_id, id);


--
-- Name: comment comment_workspace_id_deleted_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_workspace_id_deleted_by_id_fkey FOREIGN KEY (workspace_id, deleted_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: comment comment_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: comment comment_workspace_id_parent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_workspace_id_parent_id_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES public.comment(workspace_id, id);


--
-- Name: comment comment_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: cycle_rule cycle_rule_workspace_id_set_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cycle_rule
    ADD CONSTRAINT cycle_rule_workspace_id_set_by_id_fkey FOREIGN KEY (workspace_id, set_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: cycle_rule cycle_rule_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cycle_rule
    ADD CONSTRAINT cycle_rule_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: cycle cycle_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cycle
    ADD CONSTRAINT cycle_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: embedding_pool embedding_pool_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedding_pool
    ADD CONSTRAINT embedding_pool_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: embedding_text embedding_text_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedding_text
    ADD CONSTRAINT embedding_text_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: embedding embedding_workspace_id_pool_id_part_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedding
    ADD CONSTRAINT embedding_workspace_id_pool_id_part_fkey FOREIGN KEY (workspace_id, pool, id, part) REFERENCES public.embedding_text(workspace_id, pool, id, part) ON DELETE CASCADE;


--
-- Name: event_dead_letter event_dead_letter_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_dead_letter
    ADD CONSTRAINT event_dead_letter_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: event event_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: favourite favourite_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.favourite
    ADD CONSTRAINT favourite_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: file_part file_part_workspace_id_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file_part
    ADD CONSTRAINT file_part_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id) REFERENCES public.file(workspace_id, id) ON DELETE CASCADE;


--
-- Name: file_part file_part_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file_part
    ADD CONSTRAINT file_part_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: file_usage file_usage_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file_usage
    ADD CONSTRAINT file_usage_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: file file_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: file file_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: git_delivery git_delivery_workspace_id_hook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.git_delivery
    ADD CONSTRAINT git_delivery_workspace_id_hook_id_fkey FOREIGN KEY (workspace_id, hook_id) REFERENCES public.git_hook(workspace_id, id);


--
-- Name: git_hook git_hook_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.git_hook
    ADD CONSTRAINT git_hook_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: git_hook git_hook_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.git_hook
    ADD CONSTRAINT git_hook_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: hook_session_issue hook_session_issue_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_session_issue
    ADD CONSTRAINT hook_session_issue_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: hook_session_issue hook_session_issue_workspace_id_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_session_issue
    ADD CONSTRAINT hook_session_issue_workspace_id_session_id_fkey FOREIGN KEY (workspace_id, session_id) REFERENCES public.hook_session(workspace_id, id) ON DELETE CASCADE;


--
-- Name: hook_session hook_session_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_session
    ADD CONSTRAINT hook_session_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: hook_write hook_write_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_write
    ADD CONSTRAINT hook_write_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: hook_write hook_write_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hook_write
    ADD CONSTRAINT hook_write_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: imported_record imported_record_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imported_record
    ADD CONSTRAINT imported_record_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: inbox_entry inbox_entry_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_entry
    ADD CONSTRAINT inbox_entry_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: inbox_entry inbox_entry_workspace_id_actor_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_entry
    ADD CONSTRAINT inbox_entry_workspace_id_actor_id_fkey FOREIGN KEY (workspace_id, actor_id) REFERENCES public.account(workspace_id, id);


--
-- Name: inbox_entry inbox_entry_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_entry
    ADD CONSTRAINT inbox_entry_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: inbox_watch inbox_watch_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_watch
    ADD CONSTRAINT inbox_watch_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: inbox_watch inbox_watch_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox_watch
    ADD CONSTRAINT inbox_watch_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_change issue_change_workspace_id_actor_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_change
    ADD CONSTRAINT issue_change_workspace_id_actor_id_fkey FOREIGN KEY (workspace_id, actor_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_change issue_change_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_change
    ADD CONSTRAINT issue_change_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_change issue_change_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_change
    ADD CONSTRAINT issue_change_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: issue_claim_lapse issue_claim_lapse_workspace_id_holder_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_claim_lapse
    ADD CONSTRAINT issue_claim_lapse_workspace_id_holder_id_fkey FOREIGN KEY (workspace_id, holder_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_claim_lapse issue_claim_lapse_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_claim_lapse
    ADD CONSTRAINT issue_claim_lapse_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_claim issue_claim_workspace_id_holder_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_claim
    ADD CONSTRAINT issue_claim_workspace_id_holder_id_fkey FOREIGN KEY (workspace_id, holder_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_claim issue_claim_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_claim
    ADD CONSTRAINT issue_claim_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_counter issue_counter_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_counter
    ADD CONSTRAINT issue_counter_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: issue_former_description issue_former_description_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_description
    ADD CONSTRAINT issue_former_description_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_former_description issue_former_description_workspace_id_replaced_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_description
    ADD CONSTRAINT issue_former_description_workspace_id_replaced_by_id_fkey FOREIGN KEY (workspace_id, replaced_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_former_key issue_former_key_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_key
    ADD CONSTRAINT issue_former_key_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_former_key issue_former_key_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_key
    ADD CONSTRAINT issue_former_key_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: issue_key_reservation issue_key_reservation_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_key_reservation
    ADD CONSTRAINT issue_key_reservation_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: issue_label issue_label_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_label
    ADD CONSTRAINT issue_label_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_label issue_label_workspace_id_label_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_label
    ADD CONSTRAINT issue_label_workspace_id_label_id_fkey FOREIGN KEY (workspace_id, label_id) REFERENCES public.label(workspace_id, id);


--
-- Name: issue_link issue_link_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_link
    ADD CONSTRAINT issue_link_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_lost_claim issue_lost_claim_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_lost_claim
    ADD CONSTRAINT issue_lost_claim_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_lost_claim issue_lost_claim_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_lost_claim
    ADD CONSTRAINT issue_lost_claim_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_old_key issue_old_key_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_old_key
    ADD CONSTRAINT issue_old_key_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_relation issue_relation_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_relation
    ADD CONSTRAINT issue_relation_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_relation issue_relation_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_relation
    ADD CONSTRAINT issue_relation_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_relation issue_relation_workspace_id_related_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_relation
    ADD CONSTRAINT issue_relation_workspace_id_related_issue_id_fkey FOREIGN KEY (workspace_id, related_issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_resolution issue_resolution_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_resolution
    ADD CONSTRAINT issue_resolution_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_similar issue_similar_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_similar
    ADD CONSTRAINT issue_similar_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_tally issue_tally_workspace_id_state_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tally
    ADD CONSTRAINT issue_tally_workspace_id_state_id_fkey FOREIGN KEY (workspace_id, state_id) REFERENCES public.workflow_state(workspace_id, id);


--
-- Name: issue_tally issue_tally_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tally
    ADD CONSTRAINT issue_tally_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: issue_template issue_template_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_template
    ADD CONSTRAINT issue_template_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_template issue_template_workspace_id_deleted_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_template
    ADD CONSTRAINT issue_template_workspace_id_deleted_by_id_fkey FOREIGN KEY (workspace_id, deleted_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_template issue_template_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_template
    ADD CONSTRAINT issue_template_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: issue_things_tally issue_things_tally_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_things_tally
    ADD CONSTRAINT issue_things_tally_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: issue_tick issue_tick_workspace_id_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tick
    ADD CONSTRAINT issue_tick_workspace_id_by_id_fkey FOREIGN KEY (workspace_id, by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_tick issue_tick_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tick
    ADD CONSTRAINT issue_tick_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue_tick issue_tick_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tick
    ADD CONSTRAINT issue_tick_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: issue_told_change issue_told_change_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_told_change
    ADD CONSTRAINT issue_told_change_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue_told_change issue_told_change_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_told_change
    ADD CONSTRAINT issue_told_change_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue issue_workspace_id_assignee_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_assignee_id_fkey FOREIGN KEY (workspace_id, assignee_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue issue_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: issue issue_workspace_id_cycle_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_cycle_id_fkey FOREIGN KEY (workspace_id, cycle_id) REFERENCES public.cycle(workspace_id, id);


--
-- Name: issue issue_workspace_id_milestone_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_milestone_id_fkey FOREIGN KEY (workspace_id, milestone_id) REFERENCES public.milestone(workspace_id, id);


--
-- Name: issue issue_workspace_id_parent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_parent_id_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: issue issue_workspace_id_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES public.project(workspace_id, id);


--
-- Name: issue issue_workspace_id_state_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_state_id_fkey FOREIGN KEY (workspace_id, state_id) REFERENCES public.workflow_state(workspace_id, id);


--
-- Name: issue issue_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: issue issue_workspace_id_updated_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_updated_by_id_fkey FOREIGN KEY (workspace_id, updated_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_deleted_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_deleted_by_id_fkey FOREIGN KEY (workspace_id, deleted_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES public.project(workspace_id, id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_supersedes_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_supersedes_id_fkey FOREIGN KEY (workspace_id, supersedes_id) REFERENCES public.knowledge_entry(workspace_id, id);


--
-- Name: knowledge_entry knowledge_entry_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: knowledge_mark knowledge_mark_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_mark
    ADD CONSTRAINT knowledge_mark_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: knowledge_mark knowledge_mark_workspace_id_entry_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_mark
    ADD CONSTRAINT knowledge_mark_workspace_id_entry_id_fkey FOREIGN KEY (workspace_id, entry_id) REFERENCES public.knowledge_entry(workspace_id, id);


--
-- Name: knowledge_outcome knowledge_outcome_workspace_id_entry_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_outcome
    ADD CONSTRAINT knowledge_outcome_workspace_id_entry_id_fkey FOREIGN KEY (workspace_id, entry_id) REFERENCES public.knowledge_entry(workspace_id, id);


--
-- Name: knowledge_serving knowledge_serving_workspace_id_entry_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_serving
    ADD CONSTRAINT knowledge_serving_workspace_id_entry_id_fkey FOREIGN KEY (workspace_id, entry_id) REFERENCES public.knowledge_entry(workspace_id, id);


--
-- Name: knowledge_serving knowledge_serving_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_serving
    ADD CONSTRAINT knowledge_serving_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: label label_workspace_id_deleted_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.label
    ADD CONSTRAINT label_workspace_id_deleted_by_id_fkey FOREIGN KEY (workspace_id, deleted_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: label label_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.label
    ADD CONSTRAINT label_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: milestone milestone_workspace_id_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.milestone
    ADD CONSTRAINT milestone_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES public.project(workspace_id, id);


--
-- Name: password password_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password
    ADD CONSTRAINT password_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: project_update project_update_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_update
    ADD CONSTRAINT project_update_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: project_update project_update_workspace_id_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_update
    ADD CONSTRAINT project_update_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES public.project(workspace_id, id);


--
-- Name: project project_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: project project_workspace_id_deleted_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_deleted_by_id_fkey FOREIGN KEY (workspace_id, deleted_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: project project_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: project project_workspace_id_lead_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_lead_id_fkey FOREIGN KEY (workspace_id, lead_id) REFERENCES public.account(workspace_id, id);


--
-- Name: project project_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: reaction reaction_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reaction
    ADD CONSTRAINT reaction_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: reaction reaction_workspace_id_comment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reaction
    ADD CONSTRAINT reaction_workspace_id_comment_id_fkey FOREIGN KEY (workspace_id, comment_id) REFERENCES public.comment(workspace_id, id);


--
-- Name: sample_board sample_board_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sample_board
    ADD CONSTRAINT sample_board_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: saved_view saved_view_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: saved_view saved_view_workspace_id_owner_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_workspace_id_owner_id_fkey FOREIGN KEY (workspace_id, owner_id) REFERENCES public.account(workspace_id, id);


--
-- Name: saved_view saved_view_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.saved_view
    ADD CONSTRAINT saved_view_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- Name: search_document search_document_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_document
    ADD CONSTRAINT search_document_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: search_pool search_pool_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pool
    ADD CONSTRAINT search_pool_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: search_reindex search_reindex_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_reindex
    ADD CONSTRAINT search_reindex_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: search_term search_term_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_term
    ADD CONSTRAINT search_term_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: search_timeline search_timeline_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_timeline
    ADD CONSTRAINT search_timeline_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: service_agent service_agent_workspace_id_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.service_agent
    ADD CONSTRAINT service_agent_workspace_id_id_fkey FOREIGN KEY (workspace_id, id) REFERENCES public.account(workspace_id, id);


--
-- Name: sign_in_place sign_in_place_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_place
    ADD CONSTRAINT sign_in_place_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: team team_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: text_revision text_revision_workspace_id_edited_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.text_revision
    ADD CONSTRAINT text_revision_workspace_id_edited_by_id_fkey FOREIGN KEY (workspace_id, edited_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: text_revision text_revision_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.text_revision
    ADD CONSTRAINT text_revision_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: token token_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: trash_start trash_start_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trash_start
    ADD CONSTRAINT trash_start_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: usage_report usage_report_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_report
    ADD CONSTRAINT usage_report_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: usage_report usage_report_workspace_id_issue_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_report
    ADD CONSTRAINT usage_report_workspace_id_issue_id_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issue(workspace_id, id);


--
-- Name: webhook_delivery webhook_delivery_workspace_id_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_workspace_id_webhook_id_fkey FOREIGN KEY (workspace_id, webhook_id) REFERENCES public.webhook(workspace_id, id) ON DELETE CASCADE;


--
-- Name: webhook webhook_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: webhook webhook_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: workflow_state workflow_state_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflow_state
    ADD CONSTRAINT workflow_state_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- PostgreSQL database dump complete
--



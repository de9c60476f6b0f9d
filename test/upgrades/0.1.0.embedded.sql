--
-- PostgreSQL database dump
--


-- Dumped from database version 18.6
-- Dumped by pg_dump version 18.3

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
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
-- Name: issue_tally_inserted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_tally_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into issue_tally (workspace_id, team_id, state_id, shard, n)
        select workspace_id, team_id, state_id, pg_backend_pid() % 64, count(*) from inserted where deleted_at is null group by 1, 2, 3
        on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      return null;
    end $$;


--
-- Name: issue_tally_moved(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.issue_tally_moved() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into issue_tally (workspace_id, team_id, state_id, shard, n)
        select old.workspace_id, team_id, state_id, pg_backend_pid() % 64, sum(d)
        from (values (old.team_id, old.state_id, case when old.deleted_at is null then -1 else 0 end),
                     (new.team_id, new.state_id, case when new.deleted_at is null then 1 else 0 end)) as moved (team_id, state_id, d)
        group by team_id, state_id order by team_id, state_id
        on conflict (workspace_id, team_id, state_id, shard) do update set n = issue_tally.n + excluded.n;
      return null;
    end $$;


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
    id uuid DEFAULT gen_random_uuid() CONSTRAINT job_id_not_null NOT NULL,
    name text CONSTRAINT job_name_not_null NOT NULL,
    priority integer DEFAULT 0 CONSTRAINT job_priority_not_null NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state CONSTRAINT job_state_not_null NOT NULL,
    retry_limit integer DEFAULT 2 CONSTRAINT job_retry_limit_not_null NOT NULL,
    retry_count integer DEFAULT 0 CONSTRAINT job_retry_count_not_null NOT NULL,
    retry_delay integer DEFAULT 0 CONSTRAINT job_retry_delay_not_null NOT NULL,
    retry_backoff boolean DEFAULT false CONSTRAINT job_retry_backoff_not_null NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 CONSTRAINT job_expire_seconds_not_null NOT NULL,
    deletion_seconds integer DEFAULT 604800 CONSTRAINT job_deletion_seconds_not_null NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() CONSTRAINT job_start_after_not_null NOT NULL,
    created_on timestamp with time zone DEFAULT now() CONSTRAINT job_created_on_not_null NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) CONSTRAINT job_keep_until_not_null NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false CONSTRAINT job_blocked_not_null NOT NULL,
    blocking boolean DEFAULT false CONSTRAINT job_blocking_not_null NOT NULL,
    pending_dependencies integer DEFAULT 0 CONSTRAINT job_pending_dependencies_not_null NOT NULL,
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
-- Name: queue_stats_20261121; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue_stats_20261121 (
    id uuid DEFAULT gen_random_uuid() CONSTRAINT queue_stats_id_not_null NOT NULL,
    name text CONSTRAINT queue_stats_name_not_null NOT NULL,
    deferred_count integer DEFAULT 0 CONSTRAINT queue_stats_deferred_count_not_null NOT NULL,
    queued_count integer DEFAULT 0 CONSTRAINT queue_stats_queued_count_not_null NOT NULL,
    ready_count integer DEFAULT 0 CONSTRAINT queue_stats_ready_count_not_null NOT NULL,
    active_count integer DEFAULT 0 CONSTRAINT queue_stats_active_count_not_null NOT NULL,
    failed_count integer DEFAULT 0 CONSTRAINT queue_stats_failed_count_not_null NOT NULL,
    total_count integer DEFAULT 0 CONSTRAINT queue_stats_total_count_not_null NOT NULL,
    captured_on timestamp with time zone DEFAULT now() CONSTRAINT queue_stats_captured_on_not_null NOT NULL
);


--
-- Name: queue_stats_20261122; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue_stats_20261122 (
    id uuid DEFAULT gen_random_uuid() CONSTRAINT queue_stats_id_not_null NOT NULL,
    name text CONSTRAINT queue_stats_name_not_null NOT NULL,
    deferred_count integer DEFAULT 0 CONSTRAINT queue_stats_deferred_count_not_null NOT NULL,
    queued_count integer DEFAULT 0 CONSTRAINT queue_stats_queued_count_not_null NOT NULL,
    ready_count integer DEFAULT 0 CONSTRAINT queue_stats_ready_count_not_null NOT NULL,
    active_count integer DEFAULT 0 CONSTRAINT queue_stats_active_count_not_null NOT NULL,
    failed_count integer DEFAULT 0 CONSTRAINT queue_stats_failed_count_not_null NOT NULL,
    total_count integer DEFAULT 0 CONSTRAINT queue_stats_total_count_not_null NOT NULL,
    captured_on timestamp with time zone DEFAULT now() CONSTRAINT queue_stats_captured_on_not_null NOT NULL
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
    CONSTRAINT agent_run_check CHECK (((status = 'RUNNING'::text) = ((lease_id IS NOT NULL) AND (lease_until IS NOT NULL) AND (token_id IS NOT NULL)))),
    CONSTRAINT agent_run_check1 CHECK (((status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'CANCELED'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT agent_run_check2 CHECK (((status = ANY (ARRAY['FAILED'::text, 'CANCELED'::text])) = (error_reason IS NOT NULL))),
    CONSTRAINT agent_run_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELED'::text])))
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
    CONSTRAINT agent_run_event_type_check CHECK ((type = ANY (ARRAY['status'::text, 'stdout'::text, 'stderr'::text])))
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
    deleted_at timestamp(3) with time zone
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
    CONSTRAINT cycle_check CHECK ((ends_at > starts_at))
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
    reminded_of timestamp(3) with time zone
);


--
-- Name: imported_record; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.imported_record (
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    external_id text NOT NULL,
    id uuid NOT NULL
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
    project_id uuid,
    cycle_id uuid,
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
    to_name text
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
-- Name: issue_former_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issue_former_key (
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    number integer NOT NULL,
    issue_id uuid NOT NULL
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
    deleted_at timestamp(3) with time zone
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
    CONSTRAINT knowledge_entry_kind_check CHECK ((kind = ANY (ARRAY['FACT'::text, 'DECISION'::text, 'CONVENTION'::text, 'PITFALL'::text, 'HOWTO'::text]))),
    CONSTRAINT knowledge_entry_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUPERSEDED'::text, 'DISPUTED'::text])))
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
    at timestamp(3) with time zone NOT NULL
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
    deleted_at timestamp(3) with time zone
);


--
-- Name: migration_comments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_comments (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
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
    "timestamp" character varying(255) NOT NULL
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
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_delegation_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_delegation_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_embeddings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_embeddings (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_embeddings_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_embeddings_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_hooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_hooks (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_hooks_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_hooks_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_issues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_issues (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
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
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_knowledge_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_knowledge_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_projects (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_projects_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_projects_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_search; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_search (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_search_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_search_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_transfer; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_transfer (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_transfer_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_transfer_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: migration_workspace; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_workspace (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: migration_workspace_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migration_workspace_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
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
    deleted_at timestamp(3) with time zone
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
    documents integer DEFAULT 0 NOT NULL
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
-- Name: service_agent; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.service_agent (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL
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
    deleted_at timestamp(3) with time zone
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
    revoked_at timestamp(3) with time zone
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
-- Name: queue_stats_20261121; Type: TABLE ATTACH; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261121 FOR VALUES FROM ('2026-11-21 00:00:00+00') TO ('2026-11-22 00:00:00+00');


--
-- Name: queue_stats_20261122; Type: TABLE ATTACH; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261122 FOR VALUES FROM ('2026-11-22 00:00:00+00') TO ('2026-11-23 00:00:00+00');


--
-- Data for Name: bam; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: job_common; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.job_common VALUES
	('23ac72e8-0850-4a44-a277-1b21509eddf5', 'issues.changed/search', 1, '{"kind": "updated", "issueId": "01a2006b-0ff5-735d-a38f-353c937aad4e", "workspaceId": "01a2006a-f61b-76c2-bc0f-e80fdcbb224e"}', 'created', 5, 0, 1, true, 300, 900, 604800, NULL, NULL, NULL, NULL, '2026-11-21 23:22:26.208+00', '2026-11-21 23:22:26.208+00', NULL, NULL, '2026-12-05 23:22:26.208+00', NULL, NULL, 'standard', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL),
	('97532e30-e3e9-4c9c-8865-c507e1d9336b', 'embeddings.embedWaiting', 0, '{"pool": "issues", "workspaceId": "01a2006a-f61b-76c2-bc0f-e80fdcbb224e"}', 'created', 5, 0, 1, true, 300, 900, 604800, '01a2006a-f61b-76c2-bc0f-e80fdcbb224e/issues', NULL, NULL, NULL, '2026-11-21 23:22:26.618+00', '2026-11-21 23:22:26.618+00', NULL, NULL, '2026-12-05 23:22:26.618+00', NULL, NULL, 'short', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL);


--
-- Data for Name: job_dependency; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: queue; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.queue VALUES
	('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.549+00', '2026-11-21 23:22:18.549+00'),
	('embeddings.embedWaiting', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.618+00', '2026-11-21 23:22:18.618+00'),
	('embeddings.forgetModels', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.639+00', '2026-11-21 23:22:18.639+00'),
	('issues.changed/search', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.641+00', '2026-11-21 23:22:18.641+00'),
	('comments.changed/search', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.652+00', '2026-11-21 23:22:18.652+00'),
	('search.indexMissing', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.658+00', '2026-11-21 23:22:18.658+00'),
	('knowledge.indexEntries', 'short', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.67+00', '2026-11-21 23:22:18.67+00'),
	('hooks.forgetSessions', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.689+00', '2026-11-21 23:22:18.689+00'),
	('delegation.take', 'short', 5, 1, true, 300, 600, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.735+00', '2026-11-21 23:22:18.735+00'),
	('delegation.announce', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.802+00', '2026-11-21 23:22:18.802+00'),
	('issues.changed/delegation', 'standard', 5, 1, true, 300, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, '2026-11-21 23:22:18.86+00', '2026-11-21 23:22:18.86+00');


--
-- Data for Name: queue_stats_20261121; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: queue_stats_20261122; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: schedule; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.schedule VALUES
	('hooks.forgetSessions', '', '40 3 * * *', 'UTC', '{}', '{}', '2026-11-21 23:22:18.954+00', '2026-11-21 23:22:18.954+00'),
	('delegation.announce', '', '* * * * *', 'UTC', '{}', '{}', '2026-11-21 23:22:19.021+00', '2026-11-21 23:22:19.021+00');


--
-- Data for Name: subscription; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: version; Type: TABLE DATA; Schema: pgboss; Owner: -
--

INSERT INTO pgboss.version VALUES
	(37, '2026-11-21 23:22:18.602+00', '2026-11-21 23:22:18.603+00', '2026-11-21 23:22:23.569+00');


--
-- Data for Name: warning; Type: TABLE DATA; Schema: pgboss; Owner: -
--



--
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f657-73df-8cd9-792116e7f6e1', 'PERSON', 'Administrator', 'admin@localhost', 'ADMIN', NULL, NULL, '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-fc10-7584-b69e-242a31736539', 'AGENT', 'Ada', NULL, 'MEMBER', '{read,write}', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:21.008+00', NULL);


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
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0fc2-738f-98ee-aaab1eb3f1af', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', '{"type":"doc","attrs":{"source":"The writer drops the column `due_date`; **fixed** in the exporter."},"content":[{"type":"paragraph","content":[{"type":"text","text":"The writer drops the column "},{"type":"text","marks":[{"type":"code"}],"text":"due_date"},{"type":"text","text":"; "},{"type":"text","marks":[{"type":"strong","attrs":{"depth":0,"run":0,"delimiter":"*"}}],"text":"fixed"},{"type":"text","text":" in the exporter."}]}]}', 'The writer drops the column `due_date`; **fixed** in the exporter.', '2026-11-21 23:22:26.129+00', '2026-11-21 23:22:26.129+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-1020-753e-a228-5c58a68cf2db', '01a2006b-0ff5-735d-a38f-353c937aad4e', NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', '{"type":"doc","attrs":{"source":"The parser knows zones now."},"content":[{"type":"paragraph","content":[{"type":"text","text":"The parser knows zones now."}]}]}', 'The parser knows zones now.', '2026-11-21 23:22:26.208+00', '2026-11-21 23:22:26.208+00', NULL);


--
-- Data for Name: cycle; Type: TABLE DATA; Schema: public; Owner: -
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
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-043f-72ee-b1cc-e9ef0f7f8c44', 0, 'The header file is outdated', 'f6cf68684ba51c411bfaab559bfa83d38a9dca2952a723be0846faf2301a0dba', true),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-074e-7487-b093-cffd1f3b4a05', 0, 'Read the exporter', 'e58f794a58a8eece2b75788a3828f5a5d4bfd942ec6b6cde3a1874cd842681f9', true),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'knowledge', '01a2006b-1058-7152-bf6f-8abf34df9db5', 0, 'The CSV exporter writes columns in the order of the header file.', 'aa15eb8f638d242758ef531277502d45f2fc9fbacc7e11f5759442c194675c40', true),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-0ff5-735d-a38f-353c937aad4e', 0, 'The import loses times

The parser knows zones now.', 'ac385e20bbb5094f15a6900a035c82c03a7f0f8c5500ffd3937835ff6ee53c50', true),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', 0, 'The export loses dates

Due dates are missing in the CSV: “2026-11-21” becomes ``.

- [x] dates are exported
- [ ] a test says so

```ts
export const x = 1 // naïve
```


The writer drops the column `due_date`; **fixed** in the exporter.', '792e515bf6bf4b6fcae2c29ab11f929272b3daf70daa095ec8baf68292c407c4', true);


--
-- Data for Name: hook_session; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: hook_session_issue; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: imported_record; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-074e-7487-b093-cffd1f3b4a05', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 3, 'Read the exporter', NULL, '', false, 0, 0, '01a2006a-f719-70ff-ad55-046ccd08b38d', NULL, NULL, 0, NULL, NULL, 1795303343950, '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:23.95+00', '2026-11-21 23:22:23.95+00', NULL, 1, NULL, NULL, NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-043f-72ee-b1cc-e9ef0f7f8c44', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 1, 'The header file is outdated', NULL, '', false, 0, 0, '01a2006a-f719-70ff-ad55-046ccd08b38d', NULL, NULL, 0, NULL, NULL, 1795303343167, NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:23.167+00', '2026-11-21 23:22:24.062+00', NULL, 2, NULL, NULL, NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 2, 'The export loses dates', '{"type":"doc","attrs":{"source":"Due dates are missing in the CSV: “2026-11-21” becomes ``.\n\n- [x] dates are exported\n- [ ] a test says so\n\n```ts\nexport const x = 1 // naïve\n```\n"},"content":[{"type":"paragraph","content":[{"type":"text","text":"Due dates are missing in the CSV: “2026-11-21” becomes ``."}]},{"type":"bullet_list","attrs":{"tight":true,"bullet":"-"},"content":[{"type":"list_item","attrs":{"checked":true},"content":[{"type":"paragraph","content":[{"type":"text","text":"dates are exported"}]}]},{"type":"list_item","attrs":{"checked":false},"content":[{"type":"paragraph","content":[{"type":"text","text":"a test says so"}]}]}]},{"type":"code_block","attrs":{"params":"ts"},"content":[{"type":"text","text":"export const x = 1 // naïve"}]}]}', 'Due dates are missing in the CSV: “2026-11-21” becomes ``.

- [x] dates are exported
- [ ] a test says so

```ts
export const x = 1 // naïve
```
', true, 1, 2, '01a2006a-f719-70ff-ad55-0afef3a263da', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:25.789+00', 2, 3, '2027-01-31', 1795303343864, NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:23.864+00', '2026-11-21 23:22:25.792+00', NULL, 4, NULL, '01a2006b-0133-74aa-9c74-7ac9aa7f89d6', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0ff5-735d-a38f-353c937aad4e', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 4, 'The import loses times', NULL, '', false, 0, 0, '01a2006a-f719-70ff-ad55-135ee9a3ae6d', NULL, NULL, 0, NULL, NULL, 1795303346165, NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:26.165+00', '2026-11-21 23:22:26.227+00', '2026-11-21 23:22:26.227+00', 2, NULL, NULL, NULL);


--
-- Data for Name: issue_change; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_change VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-07bf-7127-9a8e-55b1479af4f5', '01a2006b-043f-72ee-b1cc-e9ef0f7f8c44', '2026-11-21 23:22:24.062+00', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', 'relation', NULL, 'ENG-1 BLOCKS ENG-2'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0804-71a0-9744-46e179bff403', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '2026-11-21 23:22:24.11+00', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', 'relation', NULL, 'ENG-1 BLOCKS ENG-2'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0c1e-75f1-9362-bb0fb6a60adc', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '2026-11-21 23:22:25.147+00', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', 'link', NULL, 'The report'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0edf-70c6-9bae-8e7854a38f54', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '2026-11-21 23:22:25.792+00', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', 'assignee', NULL, 'Administrator'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0edf-70c6-9bae-93550a2d2079', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '2026-11-21 23:22:25.792+00', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', 'state', 'Todo', 'In Progress'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-1037-72ff-9015-ad776d6a2756', '01a2006b-0ff5-735d-a38f-353c937aad4e', '2026-11-21 23:22:26.227+00', '01a2006a-f657-73df-8cd9-792116e7f6e1', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', 'state', 'Todo', 'Done');


--
-- Data for Name: issue_counter; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_counter VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 4);


--
-- Data for Name: issue_former_key; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: issue_label; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_label VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '01a2006a-f760-72b2-b497-c025e77bf63b');


--
-- Data for Name: issue_link; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_link VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0c3f-761e-9236-7cc338b6e463', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', 'https://example.org/export', 'The report', '2026-11-21 23:22:25.215+00', NULL);


--
-- Data for Name: issue_relation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_relation VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-07a7-720c-84bd-1c353b59cac8', '01a2006b-043f-72ee-b1cc-e9ef0f7f8c44', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', 'BLOCKS', '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:24.039+00', NULL);


--
-- Data for Name: issue_resolution; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_resolution VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0ff5-735d-a38f-353c937aad4e', 'The parser knows zones now.');


--
-- Data for Name: issue_tally; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issue_tally VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', '01a2006a-f719-70ff-ad55-0afef3a263da', 42, 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', '01a2006a-f719-70ff-ad55-046ccd08b38d', 42, 2),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', '01a2006a-f719-70ff-ad55-135ee9a3ae6d', 42, 1);


--
-- Data for Name: knowledge_entry; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.knowledge_entry VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-1058-7152-bf6f-8abf34df9db5', 'The CSV exporter writes columns in the order of the header file.', 'FACT', '{}', NULL, NULL, NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:26.303+00', NULL, 'ACTIVE', NULL, NULL);


--
-- Data for Name: knowledge_serving; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: label; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.label VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f760-72b2-b497-c025e77bf63b', 'Bug', '#ef4444', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f763-77f7-b2c0-5fd405f7c37d', 'Feature', '#8b5cf6', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f764-7077-8bcf-67b0d3a3bf46', 'Docs', '#0ea5e9', '2026-11-21 23:22:19.544+00', NULL);


--
-- Data for Name: migration_comments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_comments VALUES
	('001_comments', '2026-11-21T23:22:12.374Z');


--
-- Data for Name: migration_comments_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_comments_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_core VALUES
	('001_accounts', '2026-11-21T23:22:09.952Z');


--
-- Data for Name: migration_core_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_core_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_delegation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_delegation VALUES
	('001_agent_runs', '2026-11-21T23:22:16.413Z');


--
-- Data for Name: migration_delegation_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_delegation_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_embeddings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_embeddings VALUES
	('001_embeddings', '2026-11-21T23:22:13.801Z'),
	('002_key_by_id', '2026-11-21T23:22:13.865Z');


--
-- Data for Name: migration_embeddings_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_embeddings_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_hooks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_hooks VALUES
	('001_hooks', '2026-11-21T23:22:16.974Z');


--
-- Data for Name: migration_hooks_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_hooks_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_issues; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_issues VALUES
	('001_issues', '2026-11-21T23:22:11.220Z');


--
-- Data for Name: migration_issues_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_issues_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_knowledge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_knowledge VALUES
	('001_knowledge', '2026-11-21T23:22:15.780Z');


--
-- Data for Name: migration_knowledge_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_knowledge_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_projects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_projects VALUES
	('001_projects', '2026-11-21T23:22:11.962Z');


--
-- Data for Name: migration_projects_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_projects_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_search; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_search VALUES
	('001_search', '2026-11-21T23:22:15.446Z'),
	('002_cheap_changes', '2026-11-21T23:22:15.466Z'),
	('003_key_by_id', '2026-11-21T23:22:15.483Z');


--
-- Data for Name: migration_search_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_search_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_transfer; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_transfer VALUES
	('001_transfer', '2026-11-21T23:22:15.676Z');


--
-- Data for Name: migration_transfer_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_transfer_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: migration_workspace; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_workspace VALUES
	('001_teams', '2026-11-21T23:22:10.480Z');


--
-- Data for Name: migration_workspace_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migration_workspace_lock VALUES
	('migration_lock', 0);


--
-- Data for Name: project; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.project VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006b-0133-74aa-9c74-7ac9aa7f89d6', 'Exports', NULL, '', NULL, '01a2006a-f657-73df-8cd9-792116e7f6e1', '2026-11-21 23:22:22.386+00', '2026-11-21 23:22:22.386+00', NULL);


--
-- Data for Name: search_document; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_document VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-043f-72ee-b1cc-e9ef0f7f8c44', '{664043596,80669228,76376314}', '{664043596,80669228,76376314}', '{664043596,80669228,76376314}', '{}', '{695688885}', '{76376314:0.796813,80669228:0.796813,664043596:0.796813}/1000000000', 'bf84803bfa06f550b0efc4cc1bbf2ceced07d655'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-074e-7487-b093-cffd1f3b4a05', '{251969275,114566453}', '{251969275,114566453}', '{251969275,114566453}', '{}', '{695688885}', '{114566453:0.819672,251969275:0.819672}/1000000000', '1bb30c1c403ec8e041e7d7b7fdf7cd1dbf9ab94d'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'knowledge', '01a2006b-1058-7152-bf6f-8abf34df9db5', '{474338519,802560334,68304382,138213597,840728561,149301931,509562811}', '{474338519,802560334,68304382,138213597,840728561,149301931,509562811}', '{}', '{474338519,802560334,68304382,138213597,840728561,149301931,509562811}', '{}', '{68304382:0.614062,138213597:0.614062,149301931:0.614062,474338519:0.614062,509562811:0.614062,802560334:0.614062,840728561:0.614062}/1000000000', 'fc2aba814b30f07c9a1a04c8ba2979f93e547cd7'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-0ff5-735d-a38f-353c937aad4e', '{273731951,244191054,3736695,118324394,386917813,862550458}', '{273731951,244191054,3736695,118324394,386917813,862550458}', '{273731951,244191054,3736695}', '{}', '{511936614}', '{3736695:0.796813,118324394:0.393922,244191054:0.796813,273731951:0.796813,386917813:0.393922,862550458:0.393922}/1000000000', '0e98e0c047e835492d842fb163a97cd54394d81e'),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', '01a2006b-06f7-76eb-9d3a-7cd5d3bcc7cd', '{114566453,715238976,244191054,372885786,605884439,940485296,309937448,250233127,107374271,192049461,835971403,605549455,440586917,754965439,92546703,175461317,850514424,325212698,746845418,54227775,493778697,529171787,784698507,550695997}', '{114566453,715238976,244191054,372885786,605884439,940485296,309937448,250233127,107374271,192049461,835971403,605549455}', '{114566453,244191054,715238976}', '{605884439,715238976,940485296,309937448,250233127,107374271,192049461,835971403,605549455,372885786,114566453,440586917,754965439,92546703,175461317,850514424,325212698,746845418}', '{359207546,9692482,412778207}', '{54227775:0.384193,92546703:0.503651,107374271:0.503651,114566453:0.867985,175461317:0.503651,192049461:0.503651,244191054:0.796813,250233127:0.503651,309937448:0.503651,325212698:0.503651,372885786:0.669905,440586917:0.503651,493778697:0.384193,529171787:0.384193,550695997:0.384193,605549455:0.503651,605884439:0.621011,715238976:0.867985,746845418:0.503651,754965439:0.503651,784698507:0.384193,835971403:0.503651,850514424:0.503651,940485296:0.503651}/1000000000', '2fa1f33ea984bb04ee625485100ce4e4a3f707dc');


--
-- Data for Name: search_pool; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_pool VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'knowledge', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'issues', 4);


--
-- Data for Name: search_reindex; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: search_term; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_term VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 9692482, 'issues', '', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 76376314, 'issues', 'outdat', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 80669228, 'issues', 'file', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 92546703, 'issues', 'so', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 107374271, 'issues', '2026', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 114566453, 'issues', 'export', 2),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 175461317, 'issues', 'ts', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 192049461, 'issues', '11', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 250233127, 'issues', '2026-11-21', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 251969275, 'issues', 'read', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 309937448, 'issues', 'csv', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 325212698, 'issues', '1', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 359207546, 'issues', '', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 372885786, 'issues', 'x', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 440586917, 'issues', 'test', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 605549455, 'issues', 'becom', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 605884439, 'issues', 'due', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 664043596, 'issues', 'header', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 715238976, 'issues', 'date', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 746845418, 'issues', 'naiv', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 754965439, 'issues', 'say', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 835971403, 'issues', '21', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 850514424, 'issues', 'const', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 940485296, 'issues', 'miss', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 412778207, 'issues', '', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 695688885, 'issues', '', 2),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 68304382, 'knowledge', 'write', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 138213597, 'knowledge', 'column', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 149301931, 'knowledge', 'header', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 474338519, 'knowledge', 'csv', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 509562811, 'knowledge', 'file', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 802560334, 'knowledge', 'export', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 840728561, 'knowledge', 'order', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 3736695, 'issues', 'time', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 118324394, 'issues', 'parser', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 244191054, 'issues', 'lose', 2),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 273731951, 'issues', 'import', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 386917813, 'issues', 'know', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 511936614, 'issues', '', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 862550458, 'issues', 'zone', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 54227775, 'issues', 'writer', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 493778697, 'issues', 'drop', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 529171787, 'issues', 'column', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 550695997, 'issues', 'fix', 1),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 784698507, 'issues', 'due_date', 1);


--
-- Data for Name: service_agent; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: team; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.team VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'ENG', 'Engineering', '2026-11-21 23:22:19.544+00', NULL);


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.token VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f68b-73d0-a0d4-a603fbc86f45', '01a2006a-f657-73df-8cd9-792116e7f6e1', 'First token', '\xce16e5cae0de9d121cebfe81e69dab7cca91deb676bce948c7eaf57a736f7563', '2026-11-21 23:22:19.544+00', '2026-11-21 23:22:20.787+00', NULL, NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-fc12-7369-a341-1a16c7157a32', '01a2006a-fc10-7584-b69e-242a31736539', 'Agent token', '\xf99504c0b5141e47c4e08354b11c6c7a7ec86197233aa8b7a927fa1fd1ecd0d3', '2026-11-21 23:22:21.008+00', NULL, NULL, NULL);


--
-- Data for Name: workflow_state; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workflow_state VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad54-fe32591999a3', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'Triage', 'TRIAGE', 0, '#f59e0b', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad55-03f38b376eb5', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'Backlog', 'BACKLOG', 1, '#94a3b8', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad55-046ccd08b38d', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'Todo', 'UNSTARTED', 2, '#cbd5e1', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad55-0afef3a263da', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'In Progress', 'STARTED', 3, '#eab308', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad55-0c6a87c2940a', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'In Review', 'STARTED', 4, '#22c55e', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad55-135ee9a3ae6d', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'Done', 'COMPLETED', 5, '#6366f1', '2026-11-21 23:22:19.544+00', NULL),
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', '01a2006a-f719-70ff-ad55-168b757539f3', '01a2006a-f6c6-75e1-889f-d50bfb2dbafc', 'Canceled', 'CANCELED', 6, '#64748b', '2026-11-21 23:22:19.544+00', NULL);


--
-- Data for Name: workspace; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspace VALUES
	('01a2006a-f61b-76c2-bc0f-e80fdcbb224e', 'Tracker', '2026-11-21 23:22:19.544+00');


--
-- Name: agent_run_event_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.agent_run_event_seq_seq', 1, false);


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
-- Name: queue_stats_20261121 queue_stats_20261121_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats_20261121
    ADD CONSTRAINT queue_stats_20261121_pkey PRIMARY KEY (id, captured_on);


--
-- Name: queue_stats_20261122 queue_stats_20261122_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats_20261122
    ADD CONSTRAINT queue_stats_20261122_pkey PRIMARY KEY (id, captured_on);


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
-- Name: cycle cycle_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cycle
    ADD CONSTRAINT cycle_pkey PRIMARY KEY (workspace_id, id);


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
-- Name: imported_record imported_record_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imported_record
    ADD CONSTRAINT imported_record_pkey PRIMARY KEY (workspace_id, kind, external_id);


--
-- Name: issue_change issue_change_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_change
    ADD CONSTRAINT issue_change_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: issue_counter issue_counter_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_counter
    ADD CONSTRAINT issue_counter_pkey PRIMARY KEY (workspace_id, team_id);


--
-- Name: issue_former_key issue_former_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_former_key
    ADD CONSTRAINT issue_former_key_pkey PRIMARY KEY (workspace_id, team_id, number);


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
-- Name: issue_tally issue_tally_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_tally
    ADD CONSTRAINT issue_tally_pkey PRIMARY KEY (workspace_id, team_id, state_id, shard);


--
-- Name: issue issue_workspace_id_team_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue
    ADD CONSTRAINT issue_workspace_id_team_id_number_key UNIQUE (workspace_id, team_id, number);


--
-- Name: knowledge_entry knowledge_entry_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.knowledge_entry
    ADD CONSTRAINT knowledge_entry_pkey PRIMARY KEY (workspace_id, id);


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
-- Name: project project_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_pkey PRIMARY KEY (workspace_id, id);


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
-- Name: service_agent service_agent_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.service_agent
    ADD CONSTRAINT service_agent_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: team team_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_pkey PRIMARY KEY (workspace_id, id);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (workspace_id, id);


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
-- Name: queue_stats_20261121_name_captured_on_deferred_count_queued_idx; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX queue_stats_20261121_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261121 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);


--
-- Name: queue_stats_20261122_name_captured_on_deferred_count_queued_idx; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX queue_stats_20261122_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261122 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);


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

CREATE UNIQUE INDEX agent_run_active ON public.agent_run USING btree (workspace_id, issue_id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));


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
-- Name: comment_author; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_author ON public.comment USING btree (workspace_id, author_id, created_at);


--
-- Name: comment_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX comment_issue ON public.comment USING btree (workspace_id, issue_id, created_at, id);


--
-- Name: embedding_text_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX embedding_text_waiting ON public.embedding_text USING btree (workspace_id, pool, part, id DESC) WHERE waiting;


--
-- Name: imported_record_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX imported_record_id ON public.imported_record USING btree (workspace_id, kind, id);


--
-- Name: issue_assignee; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_assignee ON public.issue USING btree (workspace_id, assignee_id, updated_at DESC) WHERE ((assignee_id IS NOT NULL) AND (deleted_at IS NULL));


--
-- Name: issue_change_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_actor ON public.issue_change USING btree (workspace_id, actor_id, at);


--
-- Name: issue_change_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_change_issue ON public.issue_change USING btree (workspace_id, issue_id, at, id);


--
-- Name: issue_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_created ON public.issue USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);


--
-- Name: issue_cycle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_cycle ON public.issue USING btree (workspace_id, cycle_id) WHERE (cycle_id IS NOT NULL);


--
-- Name: issue_label_label; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_label_label ON public.issue_label USING btree (workspace_id, label_id, issue_id);


--
-- Name: issue_link_issue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_link_issue ON public.issue_link USING btree (workspace_id, issue_id) WHERE (deleted_at IS NULL);


--
-- Name: issue_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_number ON public.issue USING btree (workspace_id, number DESC, id DESC) WHERE (deleted_at IS NULL);


--
-- Name: issue_parent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_parent ON public.issue USING btree (workspace_id, parent_id) WHERE (parent_id IS NOT NULL);


--
-- Name: issue_priority; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_priority ON public.issue USING btree (workspace_id, priority DESC, id DESC) WHERE (deleted_at IS NULL);


--
-- Name: issue_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_project ON public.issue USING btree (workspace_id, project_id) WHERE (project_id IS NOT NULL);


--
-- Name: issue_relation_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX issue_relation_once ON public.issue_relation USING btree (workspace_id, issue_id, related_issue_id, type) WHERE (deleted_at IS NULL);


--
-- Name: issue_relation_other; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_relation_other ON public.issue_relation USING btree (workspace_id, related_issue_id) WHERE (deleted_at IS NULL);


--
-- Name: issue_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_state ON public.issue USING btree (workspace_id, state_id, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);


--
-- Name: issue_updated; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX issue_updated ON public.issue USING btree (workspace_id, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);


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
-- Name: knowledge_serving_entry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX knowledge_serving_entry ON public.knowledge_serving USING btree (workspace_id, entry_id, id DESC);


--
-- Name: label_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX label_name ON public.label USING btree (workspace_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: project_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX project_name ON public.project USING btree (workspace_id, lower(name)) WHERE (deleted_at IS NULL);


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
-- Name: team_identifier; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX team_identifier ON public.team USING btree (workspace_id, upper(identifier));


--
-- Name: token_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_account ON public.token USING btree (workspace_id, account_id);


--
-- Name: token_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_hash ON public.token USING btree (hash);


--
-- Name: workflow_state_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX workflow_state_name ON public.workflow_state USING btree (workspace_id, team_id, lower(name)) WHERE (deleted_at IS NULL);


--
-- Name: job_common_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;


--
-- Name: queue_stats_20261121_name_captured_on_deferred_count_queued_idx; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261121_name_captured_on_deferred_count_queued_idx;


--
-- Name: queue_stats_20261121_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261121_pkey;


--
-- Name: queue_stats_20261122_name_captured_on_deferred_count_queued_idx; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261122_name_captured_on_deferred_count_queued_idx;


--
-- Name: queue_stats_20261122_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261122_pkey;


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
-- Name: agent_run agent_run_workspace_id_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_run
    ADD CONSTRAINT agent_run_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES public.token(workspace_id, id);


--
-- Name: comment comment_workspace_id_author_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_workspace_id_author_id_fkey FOREIGN KEY (workspace_id, author_id) REFERENCES public.account(workspace_id, id);


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
-- Name: imported_record imported_record_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.imported_record
    ADD CONSTRAINT imported_record_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


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
-- Name: issue_counter issue_counter_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issue_counter
    ADD CONSTRAINT issue_counter_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


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
-- Name: label label_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.label
    ADD CONSTRAINT label_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: project project_workspace_id_created_by_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_created_by_id_fkey FOREIGN KEY (workspace_id, created_by_id) REFERENCES public.account(workspace_id, id);


--
-- Name: project project_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: project project_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project
    ADD CONSTRAINT project_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


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
-- Name: service_agent service_agent_workspace_id_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.service_agent
    ADD CONSTRAINT service_agent_workspace_id_id_fkey FOREIGN KEY (workspace_id, id) REFERENCES public.account(workspace_id, id);


--
-- Name: team team_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);


--
-- Name: token token_workspace_id_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES public.account(workspace_id, id);


--
-- Name: workflow_state workflow_state_workspace_id_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workflow_state
    ADD CONSTRAINT workflow_state_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES public.team(workspace_id, id);


--
-- PostgreSQL database dump complete
--



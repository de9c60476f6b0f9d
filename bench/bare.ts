import { createHash, hash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { embeddedPool } from '../core/db/embedded/embedded-pool.ts'
import { openEmbedded } from '../core/db/embedded/embedded.ts'

/*
 * The baseline of the context endpoint: the minimum code for the same answer. One route, the same look-up of the token,
 * one prepared statement whose JSON is sent with its digest.
 */

const TOKEN = `
  select token.workspace_id, token.expires_at, account.scopes
  from token join account on account.workspace_id = token.workspace_id and account.id = token.account_id
  where token.hash = $1 and token.revoked_at is null and account.deleted_at is null`

const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const CONTEXT = `
  select rtrim(json_build_object(
    'id', i.id, 'key', t.identifier || '-' || i.number, 'title', i.title, 'descriptionMarkdown', i.description_markdown,
    'state', json_build_object('id', s.id, 'name', s.name, 'category', s.category),
    'assignee', case when a.id is not null then json_build_object('id', a.id, 'fullname', a.fullname) end,
    'team', json_build_object('id', t.id, 'identifier', t.identifier, 'name', t.name),
    'labels', coalesce((
      select json_agg(json_build_object('id', l.id, 'name', l.name) order by lower(l.name))
      from issue_label il join label l on l.workspace_id = il.workspace_id and l.id = il.label_id
      where il.workspace_id = i.workspace_id and il.issue_id = i.id and l.deleted_at is null), '[]'),
    'priority', i.priority, 'estimate', i.estimate, 'dueDate', i.due_date,
    'project', (
      select json_build_object('id', p.id, 'name', p.name)
      from project p where p.workspace_id = i.workspace_id and p.id = i.project_id and p.deleted_at is null),
    'cycle', (
      select json_build_object('id', c.id, 'name', c.name)
      from cycle c where c.workspace_id = i.workspace_id and c.id = i.cycle_id and c.deleted_at is null),
    'parent', (
      select json_build_object('id', p.id, 'key', pt.identifier || '-' || p.number, 'title', p.title)
      from issue p join team pt on pt.workspace_id = p.workspace_id and pt.id = p.team_id
      where p.workspace_id = i.workspace_id and p.id = i.parent_id and p.deleted_at is null),
    'subIssues', coalesce((
      select json_agg(json_build_object(
        'id', c.id, 'key', ct.identifier || '-' || c.number, 'title', c.title, 'stateCategory', cs.category
      ) order by c.sort_order, c.created_at, c.id)
      from issue c
      join team ct on ct.workspace_id = c.workspace_id and ct.id = c.team_id
      join workflow_state cs on cs.workspace_id = c.workspace_id and cs.id = c.state_id
      where c.workspace_id = i.workspace_id and c.parent_id = i.id and c.deleted_at is null), '[]'),
    'relations', coalesce((
      select json_agg(json_build_object(
        'id', r.id, 'type', r.type,
        'issue', json_build_object(
          'id', o.id, 'key', ot.identifier || '-' || o.number, 'title', o.title, 'stateCategory', os.category)
      ) order by r.created_at, r.id)
      from (
        select type, related_issue_id as other, created_at, id
        from issue_relation where workspace_id = $1 and issue_id = $2 and deleted_at is null
        union all
        select case type when 'BLOCKS' then 'BLOCKED' when 'DUPLICATE_OF' then 'DUPLICATE' else type end,
          issue_id, created_at, id
        from issue_relation where workspace_id = $1 and related_issue_id = $2 and deleted_at is null) r
      join issue o on o.workspace_id = $1 and o.id = r.other and o.deleted_at is null
      join team ot on ot.workspace_id = o.workspace_id and ot.id = o.team_id
      join workflow_state os on os.workspace_id = o.workspace_id and os.id = o.state_id), '[]'),
    'linkedIssues', coalesce((
      select json_agg(json_build_object('id', k.id, 'url', k.url, 'title', k.title) order by k.created_at, k.id)
      from issue_link k where k.workspace_id = i.workspace_id and k.issue_id = i.id and k.deleted_at is null), '[]'),
    'comments', coalesce((
      select json_agg(json_build_object(
        'id', c.id, 'author', json_build_object('id', ca.id, 'fullname', ca.fullname),
        'createdAt', ${time('c.created_at')}, 'bodyMarkdown', c.body_markdown,
        'replies', coalesce((
          select json_agg(json_build_object(
            'id', r.id, 'author', json_build_object('id', ra.id, 'fullname', ra.fullname),
            'createdAt', ${time('r.created_at')}, 'bodyMarkdown', r.body_markdown
          ) order by r.created_at, r.id)
          from comment r join account ra on ra.workspace_id = r.workspace_id and ra.id = r.author_id
          where r.workspace_id = c.workspace_id and r.issue_id = c.issue_id and r.parent_id = c.id
            and r.deleted_at is null), '[]')
      ) order by c.created_at, c.id)
      from comment c join account ca on ca.workspace_id = c.workspace_id and ca.id = c.author_id
      where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.parent_id is null
        and c.deleted_at is null), '[]'),
    'history', coalesce((
      select json_agg(json_build_object(
        'at', ${time('h.at')}, 'actor', ha.fullname, 'change', h.change, 'from', h.from_name, 'to', h.to_name
      ) order by h.at, h.id)
      from issue_change h join account ha on ha.workspace_id = h.workspace_id and ha.id = h.actor_id
      where h.workspace_id = i.workspace_id and h.issue_id = i.id
        and h.change in (
          'state', 'assignee', 'priority', 'estimate', 'team', 'project', 'cycle', 'parent', 'label')), '[]'),
    'definitionOfDone', json_build_object('met', i.criteria_met, 'total', i.criteria_total),
    'rev', i.rev, 'createdAt', ${time('i.created_at')}, 'updatedAt', ${time('i.updated_at')})::text, '}')
    || coalesce((
      select ',"claim":' || json_strip_nulls(json_build_object(
        'holder', json_build_object('id', ca.id, 'fullname', ca.fullname), 'session', c.session,
        'since', ${time('c.since')}, 'expiresAt', ${time('c.expires_at')}, 'fence', c.fence))
      from issue_claim c join account ca on ca.workspace_id = c.workspace_id and ca.id = c.holder_id
      where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.ended_at is null), '')
    || coalesce((
      select ',"activeRun":' || json_build_object(
        'id', r.id, 'status', r.status, 'attempt', r.attempt, 'requestedBy', ra.fullname,
        'createdAt', ${time('r.created_at')})
      from agent_run r join account ra on ra.workspace_id = r.workspace_id and ra.id = r.requested_by_id
      where r.workspace_id = i.workspace_id and r.issue_id = i.id and r.status in ('QUEUED', 'RUNNING', 'WAITING')), '')
    || '}' as json
  from issue i
    join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
    left join account a on a.workspace_id = i.workspace_id and a.id = i.assignee_id
  where i.workspace_id = $1 and i.id = $2 and i.deleted_at is null`

const { DATABASE_URL, TRACKER_DATA_DIR = '', PORT } = process.env
/** Runs a statement; on PostgreSQL on the pipelined connection with the fewest in flight. */
const { query, end } =
  DATABASE_URL === undefined
    ? await embedded()
    : await pipelined(4, { connectionString: DATABASE_URL, options: '-c jit=off' })

async function embedded() {
  const { pool } = embeddedPool(await openEmbedded({ dataDir: TRACKER_DATA_DIR }), undefined, {})
  return { query: (statement: pg.QueryConfig) => pool.query(statement), end: () => pool.end() }
}

async function pipelined(size: number, config: pg.ClientConfig) {
  const connections = Array.from({ length: size }, () => ({
    client: new pg.Client({ ...config, pipeline: true }),
    inFlight: 0
  }))
  for (const { client } of connections) await client.connect()
  return {
    async query(statement: pg.QueryConfig) {
      const chosen = connections.reduce((a, b) => (b.inFlight < a.inFlight ? b : a))
      chosen.inFlight++
      // Like the application's short reads: one write per turn of the event loop.
      const { stream } = chosen.client.connection
      stream.cork()
      setImmediate(() => stream.uncork())
      try {
        return await chosen.client.query(statement)
      } finally {
        chosen.inFlight--
      }
    },
    end: () => Promise.all(connections.map(({ client }) => client.end()))
  }
}

const app = Fastify()
app.get('/health/ready', async () => {
  await query({ text: 'select 1' })
})
app.get<{ Params: { id: string } }>('/v1/issues/:id/context', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const {
    rows: [principal]
  } = await query({ name: 'token', text: TOKEN, values: [createHash('sha256').update(token).digest()] })
  if (!principal) return reply.code(401).send()
  const {
    rows: [issue]
  } = await query({ name: 'context', text: CONTEXT, values: [principal.workspace_id, request.params.id] })
  if (!issue) return reply.code(404).send()
  const json = String(issue.json)
  const version = hash('sha256', json, 'base64url').slice(0, 10)
  return reply.type('application/json; charset=utf-8').send(`${json.slice(0, -1)},"version":"${version}"}`)
})
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
process.once('SIGTERM', async () => {
  await app.close()
  await end()
  process.exit()
})

import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { testServer, type TestServer } from '../../test/runner/harness.ts'
import { temporaryFolder } from '../../test/runner/temporary-folder.ts'

export const root = new URL('..', import.meta.url).pathname
export const runner = (name: string): string => join(root, 'runners', `${name}.sh`)

export interface Run {
  id: string
  status: string
  summary: string
  finishedAt: string | null
}
export type Watch = (server: TestServer, runId: string) => Promise<void>

/** Delegates an issue to the runner, waits for the end, and returns the run and the issue's context. */
export async function delegated(
  t: Test,
  runner: { command: string[]; env?: Record<string, string> },
  watch: Watch = async () => {}
) {
  const server = await testServer({ settings: { plugins: { delegation: { runner } } } })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  const issue = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'Greet',
      descriptionMarkdown: 'A file with a greeting is missing.\n\n- [ ] there is one'
    }
  })
  const { id } = await server.ok<{ id: string }>('/v1/agent_runs', { body: { issueId: issue.key } })
  await watch(server, id)
  for (;;) {
    const run = await server.ok<Run>(`/v1/agent_runs/${id}`)
    if (run.finishedAt !== null) {
      return {
        run,
        issue,
        server,
        context: await server.ok<{ state: object; comments: Array<{ bodyMarkdown: string }> }>(
          `/v1/issues/${issue.id}/context`
        )
      }
    }
    await sleep(50)
  }
}

export function makeRepository(t: Test) {
  const repository = temporaryFolder(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      encoding: 'utf8'
    })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  return { repository, git }
}

/** The environment in which a client is this script, which gets its arguments and the task as the real one does. */
export async function fakeClient(
  t: Test,
  client: 'claude' | 'codex' | 'opencode',
  repository: string,
  script: string
): Promise<Record<string, string>> {
  const folder = t.testdir()
  await writeFile(join(folder, client), `#!/bin/sh\nset -eu\n${script}\n`, { mode: 0o755 })
  return { REPOSITORY: repository, PATH: `${folder}:${process.env['PATH']}` }
}
export const writes = (line: object) => `echo '${JSON.stringify(line)}'`
export const says = (text: string) => writes({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
export const uses = (name: string, input: object) =>
  writes({ type: 'assistant', message: { content: [{ type: 'tool_use', name, input }] } })
export const ends = (result: string) => writes({ type: 'result', subtype: 'success', result })
/** A command that writes a note, like the tool add_note. */
export const NOTE = `curl -sf -H "Authorization: Bearer $TRACKER_TOKEN" -H 'Content-Type: application/json' \\
  "$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE" -d '{"bodyMarkdown": "It stands well."}' > /dev/null`
export const eventsOf = async (server: TestServer, runId: string) =>
  (await server.call(`/v1/agent_runs/${runId}/events`)).body

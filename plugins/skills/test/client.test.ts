import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const client = join(createRequire(import.meta.url).resolve('skills/package.json'), '../bin/cli.mjs')

t.test('the npm client `skills` installs the guides of a running server', async t => {
  const server = await testServer({ settings: { plugins: { delegation: { runner: { command: ['true'] } } } } })
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const repository = temporaryFolder(t)
  t.teardown(async () => {
    server.app.server.closeAllConnections()
    await server.close()
  })

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [client, 'add', origin, '--agent', 'claude-code', 'codex', 'cursor', '--skill', '*', '-y'],
    {
      cwd: repository,
      // Nothing of this machine's user.
      env: { PATH: process.env['PATH'], HOME: repository, DISABLE_TELEMETRY: '1' }
    }
  )
  t.match(stdout, /Installed 3 skills/)
  const { skills } = await server.ok<{ skills: Array<{ name: string; url: string }> }>('/.well-known/agent-skills/', {
    token: null
  })
  for (const { name, url } of skills) {
    const served = (await server.call(`/.well-known/agent-skills/${url}`, { token: null })).body
    for (const folder of ['.agents/skills', '.claude/skills']) {
      t.equal(await readFile(join(repository, folder, name, 'SKILL.md'), 'utf8'), served, `${folder}/${name}`)
    }
  }
})

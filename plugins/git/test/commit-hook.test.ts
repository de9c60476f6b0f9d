import { execFile, type ExecFileException } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { listen } from '../../../test/event-stream.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'
import { commitHookCommand } from '../commit-hook.ts'

let server: TestServer
let origin: string
t.before(async () => {
  server = await testServer()
  origin = await listen(server)
})
t.teardown(() => server.close())

async function repository(t: Test, hooksFolder = '.git/hooks') {
  const folder = temporaryFolder(t)
  const { token } = await server.agent(`Coder ${folder}`)
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TRACKER_URL: origin,
    TRACKER_TOKEN: token,
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap(who => [
        [`GIT_${who}_NAME`, 'Ada'],
        [`GIT_${who}_EMAIL`, 'ada@example.org']
      ])
    )
  }
  /** @param editor a shell command that changes the file `$1` */
  const git = (args: string[], editor = 'true') =>
    new Promise<{ error: ExecFileException | null; out: string }>(resolve => {
      // The shell gets the file as an argument.
      const options = { cwd: folder, env: { ...env, GIT_EDITOR: `f() { ${editor}; }; f` } }
      execFile('git', args, options, (error, out, err) => resolve({ error, out: out + err }))
    })
  const message = async () => (await git(['log', '-1', '--format=%B'])).out.trim()
  const commit = async (args: string[] = [], editor?: string) => {
    const { error, out } = await git(['commit', '--allow-empty', ...args], editor)
    return error ? `refused: ${out}` : message()
  }
  await git(['init', '-q', '-b', 'main'])
  mkdirSync(join(folder, hooksFolder), { recursive: true })
  const script = await printed()
  for (const name of ['prepare-commit-msg', 'commit-msg']) {
    writeFileSync(join(folder, hooksFolder, name), script)
    chmodSync(join(folder, hooksFolder, name), 0o755)
  }
  const claim = async () => {
    const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Claimed' } })
    await server.ok(`/v1/issues/${key}/pick_up`, { body: {}, token })
    return key
  }
  return { folder, git, commit, message, claim }
}
const write = (text: string) => `{ printf '${text}'; cat "$1"; } > "$1.new"; mv "$1.new" "$1"`

t.test('the commit hooks add the key of the one issue that is in progress', async t => {
  const { commit, claim } = await repository(t)
  t.equal(await commit(['-m', 'None']), 'None')
  const key = await claim()
  t.equal(await commit(['-m', 'Do it']), `Do it\n\nIssue: ${key}`)
  t.equal(await commit([], write('In an editor\\n')), `In an editor\n\nIssue: ${key}`)
  t.equal(await commit(['-m', '#1 UTF-8']), `#1 UTF-8\n\nIssue: ${key}`)
  const signed = 'Signed-off-by: Ada <ada@example.org>'
  t.equal(await commit(['-s', '-m', 'Signed']), `Signed\n\n${signed}\nIssue: ${key}`, 'beside the other trailers')
  t.equal(await commit(['-s'], write('Signed')), `Signed\n\n${signed}\nIssue: ${key}`)
  t.equal(await commit(['-m', 'eng-3 do it']), 'eng-3 do it')
  await claim()
  t.equal(await commit(['-m', 'Which one']), 'Which one')
})

t.test('a message that git takes for empty still ends the commit', async t => {
  const { folder, commit, claim, git } = await repository(t)
  await claim()
  writeFileSync(join(folder, 'template'), 'Why:\n')
  writeFileSync(join(folder, 'file'), 'changed\n')
  await git(['add', 'file'])
  for (const [args, setting] of [
    [[]],
    [['-v']],
    [['-s']],
    [['-m', '']],
    [['--template', 'template']],
    [['--cleanup', 'scissors']],
    [[], ['commit.cleanup', 'scissors']],
    [['-v'], ['core.commentChar', ';']],
    [[], ['core.commentChar', 'auto']]
  ] as Array<[string[], [string, string]?]>) {
    if (setting) await git(['config', ...setting])
    const what = [...args, ...(setting ?? [])].join(' ')
    t.match(await commit(args), /^refused: Aborting commit/, what)
    if (args[0] !== '-m') t.match(await commit(args, write('Do it\\n')), /Do it\n[^]*Issue: ENG-\d+$/, what)
    if (setting) await git(['config', '--unset', setting[0]])
    await git(['reset', '-q', '--soft', 'HEAD~1'])
  }
})

t.test('cleanup modes and comments keep their text', async t => {
  const { commit, claim, git } = await repository(t)
  const key = await claim()
  for (const mode of ['strip', 'whitespace', 'verbatim', 'scissors']) {
    t.equal(await commit(['--cleanup', mode, '-m', 'Do it']), `Do it\n\nIssue: ${key}`, mode)
  }
  await git(['config', 'core.commentChar', 'auto'])
  t.equal(await commit(['-e', '-m', '#1 is done']), `#1 is done\n\nIssue: ${key}`)
  await git(['config', 'core.commentChar', ';'])
  t.equal(await commit([], write('#1 is done\\n')), `#1 is done\n\nIssue: ${key}`)
})

t.test('amended, merged, squashed and rebased commits keep their messages', async t => {
  const { commit, claim, git, message } = await repository(t)
  await commit(['-m', 'Before'])
  await git(['checkout', '-q', '-b', 'side'])
  await commit(['-m', 'Beside'])
  const key = await claim()
  t.equal(await commit(['--amend', '--no-edit']), 'Beside')
  t.equal(await commit(['--amend'], 'true'), 'Beside')
  await git(['checkout', '-q', 'main'])
  t.equal(await commit(['-m', 'Here']), `Here\n\nIssue: ${key}`)
  await git(['merge', '--no-ff', 'side'])
  t.equal(await message(), "Merge branch 'side'")
  await git(['checkout', '-q', 'side'])
  t.equal((await git(['rebase', '--keep-empty', '--force-rebase', 'HEAD~1'])).error, null)
  t.equal(await message(), 'Beside')
})

t.test('the hooks work in a folder of hooks, in a package of modules, and called by other hooks', async t => {
  const { folder, commit, claim, git } = await repository(t, 'tools')
  const key = await claim()
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  await git(['config', 'core.hooksPath', 'tools'])
  t.equal(await commit(['-m', 'Do it']), `Do it\n\nIssue: ${key}`)
  writeFileSync(join(folder, 'tools/tracker-issue.cjs'), readFileSync(join(folder, 'tools/commit-msg')))
  for (const name of ['prepare-commit-msg', 'commit-msg']) {
    writeFileSync(
      join(folder, 'tools', name),
      `#!/bin/sh\nnode "$(dirname "$0")/tracker-issue.cjs" ${name} "$@"\ngrep -q NO "$1" && exit 1 || exit 0\n`
    )
  }
  t.equal(await commit([], write('Chained\\n')), `Chained\n\nIssue: ${key}`)
  t.match(await commit(['-m', 'NO']), /^refused/)
})

/** The output of the command. */
async function printed(): Promise<string> {
  const written: string[] = []
  const { write } = process.stdout
  process.stdout.write = (text: string | Uint8Array) => written.push(String(text)) > 0
  try {
    await commitHookCommand.run([])
  } finally {
    process.stdout.write = write
  }
  return written.join('')
}

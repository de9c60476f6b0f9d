import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { makeMask, MASK } from '../runner/mask.ts'
import { MAX_LINE_LENGTH } from '../runner/lines.ts'
import { followOutput, type OutputEvent } from '../runner/output.ts'
import { startRunner } from '../runner/process.ts'
import { gone } from './helpers.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

let runs = 0
function start(
  script: string,
  {
    input = '',
    lease = 30_000,
    env = {},
    command = ['sh', '-c', script]
  }: { input?: string; lease?: number; env?: Record<string, string>; command?: string[] } = {}
) {
  const run = `${process.pid}-${++runs}`
  const all = { PATH: process.env['PATH']!, TRACKER_RUN: run, ...env }
  return startRunner({ command, env: all, mark: `TRACKER_RUN=${run}`, graceMs: 300 }, input, lease)
}
const noMask = (text: string) => text
function follow(
  process: ReturnType<typeof start>,
  {
    mask = noMask,
    ...rest
  }: { mask?: (text: string) => string; limits?: { kept: number; flood: number }; onFlood?: () => void } = {}
) {
  const events: OutputEvent[] = []
  const output = followOutput({
    ...process,
    mask,
    onFlood: () => {},
    abandoned: new AbortController().signal,
    ...rest,
    write: async batch => {
      events.push(...batch)
    }
  })
  return {
    events,
    output,
    text: (type: string) =>
      events
        .filter(e => e.type === type)
        .map(e => e.text)
        .join('\n')
  }
}
t.test('a command gets its input and environment, and ends with its exit code', async t => {
  const run = start('cat; echo "$COLOUR" >&2; exit 3', { input: 'the task\n', env: { COLOUR: 'blue' } })
  const { output, text } = follow(run)
  t.strictSame(await run.ended, { kind: 'exited', code: 3 })
  await output.done
  t.equal(text('stdout'), 'the task')
  t.equal(text('stderr'), 'blue')
  t.equal(output.summary(), 'the task')
})

t.test('the server’s own environment does not reach the command', async t => {
  process.env['OF_THE_SERVER'] = 'postgres://'
  t.teardown(() => {
    delete process.env['OF_THE_SERVER']
  })
  const run = start('env')
  const { output, text } = follow(run)
  await run.ended
  await output.done
  t.match(text('stdout'), /^PATH=/m)
  t.notMatch(text('stdout'), /OF_THE_SERVER/)
})

t.test('a command that does not exist is refused with the reason', async t => {
  const run = start('', { command: ['no-such-command-anywhere'] })
  t.strictSame(await run.ended, { kind: 'refused', message: 'ENOENT' })
})

t.test('a command that exits before it reads its input ends like any other', async t => {
  const run = start('exit 0', { input: 'x'.repeat(4 * 1024 * 1024) })
  t.strictSame(await run.ended, { kind: 'exited', code: 0 })
})

t.test('a command that is killed from outside says so', async t => {
  const run = start('kill -9 $$')
  t.strictSame(await run.ended, { kind: 'killed', signal: 'SIGKILL' })
})

t.test('stop ends the whole group, children that ignore TERM too', async t => {
  const run = start('trap "" TERM; (trap "" TERM; sleep 600) & echo $!; echo $$; sleep 600')
  const { text } = follow(run)
  while (text('stdout').split('\n').length < 2) await sleep(20)
  const pids = text('stdout').split('\n').map(Number)
  run.stop(100)
  t.strictSame(await run.ended, { kind: 'killed', signal: 'SIGKILL' })
  for (const pid of pids) await gone(pid)
  t.pass('no process is left')
})

t.test(
  'children that a command leaves behind do not outlive it, in its group or in a session of their own',
  async t => {
    const run = start('sleep 600 & echo $!; setsid sleep 600 & sleep 0.2; echo $!; exit 0')
    const { output, text } = follow(run)
    t.strictSame(await run.ended, { kind: 'exited', code: 0 })
    await output.done
    for (const pid of text('stdout').split('\n').map(Number)) await gone(pid)
    t.pass('no process is left')
  }
)

t.test('a lease that is not renewed ends the command', async t => {
  const run = start('sleep 600', { lease: 200 })
  t.strictSame(await run.ended, { kind: 'unrenewed' })
})

t.test('no process outlives a server that is killed', async t => {
  const dir = temporaryFolder(t)
  const file = join(dir, 'pids')
  const part = `${file}.part`
  const script = `trap "" TERM; sleep 600 & echo $! > ${part}; echo $$ >> ${part}; mv ${part} ${file}; sleep 600`
  const server = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    import { startRunner } from ${JSON.stringify(new URL('../runner/process.ts', import.meta.url).href)}
    const command = ['sh', '-c', ${JSON.stringify(script)}]
    const env = { PATH: process.env.PATH, TRACKER_RUN: 'killed' }
    startRunner({ command, env, mark: 'TRACKER_RUN=killed', graceMs: 200 }, '', 60000)
    setInterval(() => {}, 1000)`
    ],
    { stdio: 'inherit' }
  )
  const pids = async () => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean).map(Number)
  while ((await pids()).length < 2) await sleep(50)
  server.kill('SIGKILL')
  await once(server, 'exit')
  for (const pid of await pids()) await gone(pid)
  t.pass('the command and its child are gone')
})

t.test('no process outlives its guard', async t => {
  const run = start('echo $$; echo $PPID; sleep 600')
  const { text } = follow(run)
  while (text('stdout').split('\n').length < 2) await sleep(20)
  const [command, guard] = text('stdout').split('\n').map(Number)
  process.kill(guard!, 'SIGKILL')
  t.strictSame(await run.ended, { kind: 'killed', signal: 'SIGKILL' })
  await gone(command!)
})

t.test('a flood is read, bounded and noticed', async t => {
  const before = process.memoryUsage().rss
  let flooded = false
  const run = start('yes "what a flood" | head -c 100000000')
  const { events, output } = follow(run, {
    limits: { kept: 50_000, flood: 10_000_000 },
    onFlood: () => {
      flooded = true
    }
  })
  t.strictSame(await run.ended, { kind: 'exited', code: 0 })
  await output.done
  t.ok(flooded)
  const size = events.reduce((sum, e) => sum + e.text.length, 0)
  t.ok(size > 30_000 && size < 51_000, `kept ${size} characters`)
  t.match(events.at(-1), { type: 'status', text: /longer than 50000/ })
  t.match(output.summary(), /^what a flood$/m)
  t.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024, 'memory stays bounded')
})

t.test('the summary is the last lines, in however small pieces the output comes', async t => {
  const all = Array.from({ length: 10_000 }, (_, n) => `line ${n} 😀`)
  const output = followOutput({
    stdout: Readable.from(all.map(line => Buffer.from(`${line}\n`))),
    stderr: Readable.from([]),
    mask: noMask,
    write: async () => {},
    onFlood: () => {},
    abandoned: new AbortController().signal,
    limits: { kept: 20_000, flood: 10_000_000 }
  })
  await output.done
  const summary = output.summary()!
  const [, ...lines] = summary.split('\n')
  t.strictSame(lines, all.slice(-lines.length))
  t.ok(summary.isWellFormed())
})

t.test('a line without an end is cut, and no secret shows at the cut', async t => {
  const token = `trk_${'a1B2'.repeat(12)}`
  const run = start(
    `head -c ${MAX_LINE_LENGTH - 20} /dev/zero | tr '\\0' ' '
     printf %s ${token}
     head -c 50000000 /dev/zero | tr '\\0' x`
  )
  const { output, events } = follow(run, { mask: makeMask([]) })
  await run.ended
  await output.done
  t.equal(events.length, 1)
  t.ok(events[0]!.text.length < MAX_LINE_LENGTH + 50)
  t.notMatch(events[0]!.text, /trk_|a1B2/)
})

t.test('bytes that are no text are stored as text', async t => {
  const run = start('printf "a\\000b\\377c \\033[31mred\\033[0m\\n"')
  const { output, text } = follow(run)
  await run.ended
  await output.done
  t.equal(text('stdout'), 'ab\ufffdc red')
})

t.test('a long line without spaces is masked in time', async t => {
  const line = 'a.'.repeat(100_000)
  const begun = performance.now()
  t.equal(makeMask([])(line), line)
  t.ok(performance.now() - begun < 10_000, 'and not in the square of its length, which took half a minute')
})

t.test('secrets are masked', async t => {
  const mask = makeMask(['hunter2-the-value', 'first line\nsecond line', '1'])
  const secrets = [
    `trk_${'x'.repeat(46)}`,
    `ghp_${'A1'.repeat(18)}`,
    `github_pat_${'A1'.repeat(20)}`,
    `sk-ant-api03-${'Zz9_'.repeat(10)}`,
    `sk-${'a'.repeat(48)}`,
    'AKIAIOSFODNN7EXAMPLE',
    'xoxb-123456789012-abcdefghij',
    `eyJhbGciOiJIUzI1NiJ9.${'e30'.repeat(6)}.${'s'.repeat(20)}`,
    'hunter2-the-value',
    'second line'
  ]
  for (const secret of secrets) t.equal(mask(`a ${secret} b 1`), `a ${MASK} b 1`, secret.slice(0, 8))
  t.equal(mask('Authorization: Bearer abc.DEF-123456'), `Authorization: Bearer ${MASK}`)
  t.equal(mask('aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'), `aws_secret_access_key = ${MASK}`)
  t.equal(mask('postgres://someone:pass-word@db/x'), `postgres://someone:${MASK}@db/x`)
  t.equal(mask('the token of a task is a key question: sk-8'), 'the token of a task is a key question: sk-8')
})

const keyOf = (kind: string, line: string) => [
  `-----BEGIN ${kind}-----`,
  ...Array<string>(26).fill(line),
  `${line.slice(0, 20)}==`,
  `-----END ${kind}-----`
]
const KEY_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'

t.test('a private key of many lines shows in none of them', async t => {
  for (const kind of [
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK'
  ]) {
    const key = keyOf(kind, KEY_LINE)
    // Plain, with line numbers or prefixes, in YAML, and in JSON.
    const shapes = [
      key,
      key.map((line, n) => `${n + 1}: | ${line}`),
      key.map(line => `    ${line}`),
      [`{"key": "${key.join('\\n')}", "id": 7}`]
    ]
    const input = shapes.flatMap(shape => ['before', ...shape, 'after', '']).join('\n')
    const { output, text } = follow(start('cat', { input }), { mask: makeMask([]) })
    await output.done
    t.notMatch(text('stdout'), /MIIE|END|BEGIN/, kind)
    const kept = text('stdout').match(/^before\n[^]*?\[masked\][^]*?\nafter$/gm)
    t.equal(kept?.length, shapes.length, 'what stands around each stays')
    t.notMatch(output.summary(), /MIIE/)
  }
})

t.test('a key that does not end hides what follows, not for ever; each stream has its own', async t => {
  const [begin = ''] = keyOf('PRIVATE KEY', KEY_LINE)
  const { output, text } = follow(
    start('cat; for n in $(seq 600); do echo "line $n"; done; echo news >&2', { input: `${begin}\n` }),
    { mask: makeMask([]) }
  )
  await output.done
  t.notMatch(text('stdout'), /^line 1$/m)
  t.match(text('stdout'), /^line 600$/m)
  t.equal(text('stderr'), 'news')
})

t.test('a key whose beginning lies in output that is not kept does not show in the summary', async t => {
  const key = keyOf('PRIVATE KEY', KEY_LINE)
  // Three writes; the last two make the summary.
  const parts = [
    [...Array<string>(100).fill('x'.repeat(60)), ...key.slice(0, 9)],
    key.slice(9, 18),
    [...key.slice(18), 'done']
  ]
  const run = start(
    parts.map(lines => `printf '%s\\n' ${lines.map(line => `'${line}'`).join(' ')}`).join('; sleep 0.2; ')
  )
  const { output, text } = follow(run, { mask: makeMask([]), limits: { kept: 1_000, flood: 10_000_000 } })
  await output.done
  t.notMatch(`${text('stdout')} ${output.summary()}`, /MIIE/)
  t.match(output.summary(), /done$/)
})

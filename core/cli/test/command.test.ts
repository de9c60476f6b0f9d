import t, { type Test } from 'tap'
import { defineCommand, runCommand } from '../../api/command.ts'

const done: object[] = []
const add = defineCommand({
  name: 'harbour add',
  summary: 'Add a harbour',
  details: 'Exit code 7: it was deep.',
  arguments: { name: { description: 'Its name.' }, sea: { description: 'Its sea.', optional: true } },
  options: {
    depth: { type: 'string', default: '3', description: 'Its depth.' },
    owner: { type: 'string', placeholder: 'EMAIL', required: true, description: 'Who pays.' },
    deep: { type: 'boolean', description: 'Deeper.' }
  },
  database: true,
  run: async values => {
    done.push({ ...values })
    return values.deep ? 7 : undefined
  }
})
const list = defineCommand({ name: 'harbour list', summary: 'List harbours', database: false, run: async () => {} })

/** Runs a command line; returns its exit code, its output, and whether it opened the database. */
async function run(t: Test, ...args: string[]) {
  let opened = false
  const output = t.capture(process.stdout, 'write')
  const code = await runCommand([add, list], args, async () => {
    opened = true
  })
  return {
    code,
    opened,
    out: output()
      .map(({ args }) => args[0])
      .join('')
  }
}

t.test('arguments and options reach the command by their names, and it chooses the exit code', async t => {
  done.length = 0
  t.match(await run(t, 'harbour', 'add', 'Ostend', '--deep', '--owner', 'a@b'), { code: 7, opened: true })
  t.match(await run(t, 'harbour', 'add', '--depth=5', '--owner', 'a@b', 'Ghent', 'none'), { code: 0, opened: true })
  t.same(done, [
    { name: 'Ostend', sea: undefined, depth: '3', owner: 'a@b', deep: true },
    { name: 'Ghent', sea: 'none', depth: '5', owner: 'a@b', deep: false }
  ])
})

t.test('an option has no value beside the option that makes it a flag', async t => {
  const seen: object[] = []
  const load = defineCommand({
    name: 'load',
    summary: 'Load',
    arguments: { cargo: { description: 'What.' } },
    options: {
      crane: { type: 'string', flagBeside: 'ship', description: 'Which.' },
      ship: { type: 'string', description: 'Where.' }
    },
    database: false,
    run: async values => {
      seen.push({ ...values })
    }
  })
  for (const args of [
    ['coal', '--crane', 'A'],
    ['--crane', 'coal', '--ship', 'S'],
    ['--ship=S', 'coal', '--crane'],
    ['coal', '--ship', 'S']
  ]) {
    await runCommand([load], ['load', ...args], async () => {})
  }
  t.same(seen, [
    { cargo: 'coal', crane: 'A', ship: undefined },
    { cargo: 'coal', crane: '', ship: 'S' },
    { cargo: 'coal', crane: '', ship: 'S' },
    { cargo: 'coal', crane: undefined, ship: 'S' }
  ])
})

t.test('--help anywhere prints what there is, opens nothing and does nothing', async t => {
  done.length = 0
  const help = `npm run tracker -- harbour add NAME [SEA] [--depth VALUE] --owner EMAIL [--deep]

Add a harbour

  NAME           Its name.
  SEA            Its sea.
  --depth VALUE  Its depth. Default: 3.
  --owner EMAIL  Who pays.
  --deep         Deeper.
  --help         Print this help and do nothing.

Exit code 7: it was deep.
`
  for (const args of [
    ['harbour', 'add', '--help'],
    ['harbour', 'add', 'Ostend', '--owner', 'x', '-h'],
    ['harbour', 'add', '--unknown', '--help'],
    ['help', 'harbour', 'add']
  ]) {
    t.same(await run(t, ...args), { code: 0, opened: false, out: help }, args.join(' '))
  }
  t.same(done, [])
})

t.test('without a command, or with half of a name, the commands are listed', async t => {
  for (const args of [[], ['--help'], ['help'], ['harbour', '--help']]) {
    t.match(await run(t, ...args), { code: 0, out: /^ {2}harbour add NAME .* Add a harbour\n {2}harbour list +List/m })
  }
  t.equal((await run(t, 'harbour')).code, 1)
})

t.test('unknown arguments are refused with a pointer to the help of the command', async t => {
  done.length = 0
  const see = 'See: npm run tracker -- harbour add --help'
  const refused: Array<[string[], string]> = [
    [['Ostend', '--color'], `Unknown option '--color'. ${see}`],
    [['--owner', 'x'], `NAME is missing: Its name. ${see}`],
    [['Ostend'], `--owner EMAIL is missing: Who pays. ${see}`],
    [['Ostend', 'none', 'more', '--owner', 'x'], `There is one argument too many: 'more'. ${see}`]
  ]
  for (const [args, message] of refused) await t.rejects(run(t, 'harbour', 'add', ...args), { message }, message)
  await t.rejects(run(t, 'harbor', 'add'), {
    message: /^There is no command 'harbor add'\. Did you mean 'harbour add'\?\n\n[^]*harbour list/
  })
  await t.rejects(run(t, 'harbor', 'add', 'Ostend', '--owner', 'a@b'), {
    message: /^There is no command 'harbor add Ostend'\. Did you mean 'harbour add'\?\n\n/
  })
  await t.rejects(run(t, 'quay'), { message: /^There is no command 'quay'\.\n\n/ })
  t.same(done, [])
})

t.test('--version prints the version, and opens nothing', async t => {
  t.match(await run(t, '--version'), { code: 0, opened: false, out: /^\d+\.\d+\.\d+\S*\n$/ })
})

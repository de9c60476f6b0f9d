import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { newToken } from '../core/auth/tokens.ts'
import { archiveOf, isForeign } from '../lib/packages/install.ts'
import { runtimePackages } from '../plugins/embeddings/model/packages.ts'
import { installed } from '../plugins/index.ts'
import { runOffline } from './runner/offline.ts'
import { onlyPlugins, startCommand } from './runner/process.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

/* The output of `npm run release`, as a deployer uses it: in an empty folder, without the registry. */

const run = promisify(execFile)
const project = fileURLToPath(new URL('..', import.meta.url))
const outFolder = `out/release-${process.pid}`
const MAX_INSTALLED_MB = 60
const skip = process.env['TEST_DATABASE_URL'] ? 'the same on either database' : false
const token = newToken()

/** The output of a command that failed. */
interface Ended {
  stderr: string
}

const fileNamed = (ending: string): string =>
  join(project, outFolder, globSync(`*${ending}`, { cwd: join(project, outFolder) })[0]!)

function componentNames(): string[] {
  const { components } = JSON.parse(readFileSync(fileNamed('.cdx.json'), 'utf8')) as {
    components: Array<{ name: string }>
  }
  return components.map(({ name }) => name)
}

/** Where texts of a release name commands that only a checkout has. */
function commandsOfCheckout(server: string): string[] {
  const files = globSync(['{core,lib,plugins}/**/*.{js,cjs,md,txt}', 'prepared/interface/*.js'], { cwd: server })
  const commands = /\bnpm (?:run|start|ci|rebuild)\b.{0,40}|\brun npm install\b(?! \$| without).{0,40}/g
  return files.flatMap(file => {
    const named = readFileSync(join(server, file), 'utf8').match(commands) ?? []
    return named.map(command => `${file}: ${command}`)
  })
}

/** Makes of the installed packages the files that `npm pack` would write, with this platform's libraries alone. */
async function packRuntime(to: string): Promise<void> {
  for (const each of runtimePackages()) {
    const cwd = join(project, 'node_modules', each.name)
    const file = join(to, archiveOf(each))
    await create({ cwd, file, prefix: 'package', gzip: { level: 1 }, filter: path => !isForeign(path) }, ['.'])
  }
}

/** Starts the command with every plugin that needs no other service. */
async function start(t: Test, folder: string, command: string) {
  const plugins = Object.keys(installed).filter(name => name !== 'oidc')
  const env = { TRACKER_ADMIN_TOKEN: token, ...onlyPlugins(...plugins) }
  const server = await startCommand(command, ['start'], folder, env)
  t.teardown(() => server.end('SIGKILL'))
  return {
    async send(path: string, body?: object, accept = 'application/json') {
      return fetch(server.url + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, accept, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) })
      })
    },
    async stop() {
      t.equal(await server.end('SIGTERM'), 0, server.output())
    }
  }
}

t.test(
  'a release is packed, installed in an empty folder, started, and replaced',
  { skip, timeout: 1_800_000 },
  async t => {
    t.teardown(() => rmSync(join(project, outFolder), { recursive: true, force: true }))
    await run('npm', ['run', 'release', '--', '--untagged', '--to', outFolder], {
      cwd: project,
      env: { HOME: process.env['HOME'], PATH: process.env['PATH'] }
    })
    const folder = temporaryFolder(t)
    const command = join(folder, 'node_modules/.bin/tracker')

    await t.test('the checksums are those of the files', async t => {
      const lines = readFileSync(fileNamed('SHA256SUMS'), 'utf8').trim().split('\n')
      t.equal(lines.length, 6)
      for (const line of lines) {
        const [sum = '', name = ''] = line.split('  ')
        t.equal(
          createHash('sha256')
            .update(readFileSync(join(project, outFolder, name)))
            .digest('hex'),
          sum,
          name
        )
      }
    })

    await t.test('the list of components has what is in it, and nothing for development', async t => {
      const names = componentNames()
      const shipped = ['fastify', '@electric-sql/pglite', 'react-dom', 'minisearch']
      for (const name of shipped) t.ok(names.includes(name), name)
      for (const name of ['typescript', 'tap', 'esbuild', 'onnxruntime-node']) t.notOk(names.includes(name), name)
    })

    await t.test('it is installed with npm alone', async t => {
      writeFileSync(join(folder, 'package.json'), '{"private": true}')
      await runOffline(folder, 'npm', 'install', '--ignore-scripts', fileNamed('.tgz'))
      const { stdout } = await runOffline(folder, 'du', '-sm', 'node_modules')
      t.ok(parseInt(stdout, 10) <= MAX_INSTALLED_MB, stdout)
      const sources = globSync('node_modules/tracker/**/*.{ts,tsx}', { cwd: folder }).filter(
        path => !path.endsWith('.d.ts')
      )
      t.strictSame(sources, [], 'no TypeScript')
      const pages = globSync('node_modules/tracker/server/prepared/interface/*.js', { cwd: folder })
      const texts = pages.map(path => readFileSync(join(folder, path), 'utf8'))
      t.ok(
        texts.some(text => text.includes('`tracker import --from')),
        'the first page names the command of a release'
      )
      t.strictSame(commandsOfCheckout(join(folder, 'node_modules/tracker/server')), [])
      t.match((await runOffline(folder, command, '--help')).stdout, /^tracker COMMAND\n[^]*\n {2}start {2}/)
    })

    await t.test('the components and the licences name each package whose code is in a bundle', async t => {
      const libraries = join(folder, 'node_modules/tracker/server/prepared/libraries')
      const code = globSync('*.{cjs,mjs}', { cwd: libraries }).map(file => readFileSync(join(libraries, file), 'utf8'))
      const origins = code.join('\n').matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)
      const bundled = [...new Set([...origins].map(([, name]) => name!))]
      t.ok(bundled.includes('luxon'), 'what only a bundled library imports')
      const components = componentNames()
      const licences = `\n${readFileSync(fileNamed('-licences.txt'), 'utf8')}`
      t.strictSame(
        bundled.filter(name => !components.includes(name) || !licences.includes(`\n${name} `)),
        []
      )
    })

    await t.test('each of its modules finds what it imports', async t => {
      const server = join(folder, 'node_modules/tracker/server')
      const skipped = /(?:^core\/(?:main|cli)|thread|worker|guard|-hook)\.js$|^plugins\/embeddings\/onnx-model/
      const modules = globSync('{core,lib,plugins}/**/*.js', { cwd: server }).filter(path => !skipped.test(path))
      t.ok(modules.length > 500, `${modules.length} modules`)
      const code = [...modules.map(path => `await import('./${path}')`), 'process.exit(0)'].join('\n')
      const options = ['--require', './core/start/preload.cjs', '--input-type=module']
      await runOffline(server, process.execPath, ...options, '--eval', code)
    })

    await t.test('it serves the interface, the reference and the API', async t => {
      const server = await start(t, folder, command)
      const page = await (await server.send('/', undefined, 'text/html')).text()
      const script = /\/assets\/app-[\w-]+\.js/.exec(page)![0]
      t.equal((await server.send(script, undefined, '*/*')).status, 200)
      t.equal((await server.send('/docs/static/swagger-ui-bundle.js', undefined, '*/*')).status, 200)
      const answer = await server.send('/v1/issues', { teamId: 'ENG', title: 'Kept by the next version' })
      t.equal(answer.status, 201)
      await server.stop()
    })

    await t.test('it has the documentation, with a search', async t => {
      const server = await start(t, folder, command)
      const page = await (await server.send('/help/claims.html', undefined, 'text/html')).text()
      t.match(page, /<h1 id="claims">Claims<\/h1>/)
      for (const [, address] of page.matchAll(/="(assets\/[^"]+|api\/issues\.html)"/g)) {
        t.equal((await server.send(`/help/${address}`, undefined, '*/*')).status, 200, `${address}`)
      }
      await server.stop()
    })

    await t.test('the context of the image has what its documentation is built of', async t => {
      const context = temporaryFolder(t)
      await run('tar', ['--extract', '--file', fileNamed('-image.tar.gz'), '--directory', context])
      symlinkSync(join(project, 'node_modules'), join(context, 'node_modules'))
      const { stdout } = await run('node', ['scripts/docs/index.ts'], { cwd: context })
      t.match(stdout, /^Wrote \d{2,} pages to out\/help$/m)
    })

    await t.test('it gets what runs a model: not without the network, but from files', async t => {
      const offline = (await runOffline(folder, command, 'model', 'install').catch((error: unknown) => error)) as Ended
      t.match(offline.stderr, /\nnpm does not reach its registry \(ENOTCACHED\)\. Nothing was changed\. .*npm pack/)
      const archives = temporaryFolder(t)
      await packRuntime(archives)
      const first = await runOffline(folder, command, 'model', 'install', '--from', archives)
      t.match(first.stderr, /^Installed onnxruntime-common .*\/node_modules\/tracker\/server\/node_modules: start/)
      const second = await runOffline(folder, command, 'model', 'install')
      t.match(second.stderr, /are installed already/)
      const server = await start(t, folder, command)
      const ready = (await (await server.send('/health/ready')).json()) as { embeddings: { state: string } }
      t.not(ready.embeddings.state, 'not installed')
      await server.stop()
    })

    await t.test('its data is that of the version that replaces it', async t => {
      rmSync(join(folder, 'node_modules'), { recursive: true })
      await runOffline(folder, 'tar', '--extract', '--file', fileNamed('-server.tar.gz'))
      const [unpacked] = globSync('tracker-*', { cwd: folder })
      const server = await start(t, folder, join(folder, unpacked!, 'bin/tracker'))
      t.match(await (await server.send('/v1/issues/ENG-1/context')).json(), { title: 'Kept by the next version' })
      await server.stop()
    })
  }
)

import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = new URL('..', import.meta.url)

t.test('npm downloads no GPU libraries, whatever its version', t => {
  // npm before 11.16 does not know package.json's `allowScripts`; it runs a package's scripts if the lock file lists
  // some. This script would download 300 MB from another host, and fail on a closed network.
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: true }>
  }
  t.same(
    Object.keys(lock.packages).filter(path => lock.packages[path]?.hasInstallScript),
    ['', 'node_modules/esbuild', 'node_modules/node'], // the project's own is `scripts/postinstall.ts`
    'take "hasInstallScript" out of the lock file again for a package whose script is not needed'
  )
  t.end()
})

t.test('an installation without optional packages can build the web interface', t => {
  // Its builder has a package per platform, which such an installation leaves out: its script downloads it.
  const { allowScripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    allowScripts: Record<string, boolean>
  }
  t.equal(allowScripts['esbuild'], true)
  t.end()
})

t.test('npm warns of no setting of this project', async t => {
  const { stderr } = await run('npm', ['config', 'list'], {
    cwd: root,
    env: { PATH: process.env['PATH'], npm_config_userconfig: '/dev/null' }
  })
  t.equal(stderr, '')
})

t.test('of the modules the image keeps what a server loads', async t => {
  const { platform, arch } = process
  const runtime = 'onnxruntime-node/bin/napi-v3'
  const loaded = [
    'fastify/fastify.js',
    'gpt-tokenizer/esm/main.js',
    'gpt-tokenizer/package.json',
    `${runtime}/${platform}/${arch}/libonnxruntime.so.1`,
    `${runtime}/${platform}/${arch}/onnxruntime_binding.node`
  ]
  const unused = [
    'fastify/types/reply.d.ts',
    'gpt-tokenizer/cjs/main.js',
    'kysely/dist/index.js.map',
    `${runtime}/${platform}/${arch}/libonnxruntime.so.1.21.0`,
    `${runtime}/${platform}/another-arch/onnxruntime_binding.node`,
    `${runtime}/another-platform/${arch}/onnxruntime_binding.node`
  ]
  const modules = t.testdir()
  for (const file of [...loaded, ...unused]) {
    await mkdir(join(modules, dirname(file)), { recursive: true })
    await writeFile(join(modules, file), '')
  }
  await run(process.execPath, ['scripts/prune-modules.ts', modules], { cwd: root })
  t.same(
    globSync('**/*.*', { cwd: modules }).filter(file => unused.includes(file)),
    []
  )
  t.same(
    loaded.filter(file => globSync(file, { cwd: modules }).length === 0),
    []
  )
})

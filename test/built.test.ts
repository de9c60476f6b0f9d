import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { assertPasses, built, buildServer, root, runBuilt } from './built-server.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

buildServer(t)

t.test('all files that the built server names are there', async t => {
  const files = globSync('{core,lib,plugins,scripts,test}/**/*.{js,cjs}', { cwd: join(root, built) })
  t.ok(files.length > 500, `${files.length} files`)
  const missing = files.flatMap(file => {
    const code = readFileSync(join(root, built, file), 'utf8')
    const paths = [...code.matchAll(/(["'])(\.{1,2}\/[\w./-]+\.[a-z]{2,4})\1/g)].map(([, , path]) => path!)
    return paths.filter(path => !existsSync(join(root, built, dirname(file), path))).map(path => `${file}: ${path}`)
  })
  t.strictSame(missing, [])
})

t.test('tests of the built server import it', async t => {
  const { stdout } = await runBuilt(
    '--input-type=module',
    '--eval',
    "console.log(import.meta.resolve('./core/cli/run-server.ts'))"
  )
  t.match(stdout, `${built}/core/cli/run-server.js`)
})

assertPasses(t, 'core/config/test/start.test.ts')

t.test('model install installs where the server finds its libraries, above what is built', async t => {
  const cwd = join(root, built)
  const manifest = readFileSync(join(cwd, 'package.json'), 'utf8')
  // As with another version, this one is not installed.
  writeFileSync(join(cwd, 'package.json'), manifest.replace(/("onnxruntime-node": )"[^"]+"/, '$1"0.0.1"'))
  const args = [
    '--require',
    './core/start/preload.cjs',
    'core/cli.js',
    'model',
    'install',
    '--from',
    temporaryFolder(t)
  ]
  const env = { PATH: process.env['PATH'], TRACKER_DATA_DIR: temporaryFolder(t) }
  await t.rejects(promisify(execFile)(process.execPath, args, { cwd, env }), {
    message: /^There is no .*-0\.0\.1\.tgz/m
  })
  t.notOk(existsSync(join(cwd, 'node_modules')))
})

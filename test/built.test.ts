import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { assertPasses, built, buildServer, root, runBuilt } from './built-server.ts'

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
    "console.log(import.meta.resolve('./core/run.ts'))"
  )
  t.match(stdout, `${built}/core/run.js`)
})

assertPasses(t, 'core/config/test/start.test.ts')

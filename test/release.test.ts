import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { assertReplaceable, assertTagged, folderIn, notesOf } from '../scripts/release/checks.ts'
import { imageFiles } from '../scripts/release/image.ts'
import { isAllowed, licencesOf, productionPackages } from '../scripts/release/licences.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

t.test('each production dependency has a licence under which tracker may contain it', t => {
  const packages = productionPackages(fileURLToPath(new URL('..', import.meta.url)))
  t.ok(packages.length > 200, `${packages.length} packages`)
  t.strictSame(
    packages.filter(each => !isAllowed(each)),
    []
  )
  t.end()
})

t.test('unknown and copyleft licences are refused', t => {
  const refused = ['unknown', 'GPL-3.0-only', 'LGPL-2.1', 'MPL-2.0', 'MIT AND GPL-2.0', 'SEE LICENSE IN x', 'OFL-1.1']
  for (const license of refused) t.notOk(isAllowed({ name: 'library', license }), license)
  for (const license of ['(MIT OR ISC) AND GPL-2.0', 'GPL-2.0 AND (MIT OR ISC)', 'MIT AND', '']) {
    t.notOk(isAllowed({ name: 'library', license }), license)
  }
  const allowed = ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'GPL-2.0 AND MIT OR ISC', '(MIT OR GPL-2.0) AND ISC']
  for (const license of allowed) t.ok(isAllowed({ name: 'library', license }), license)
  t.ok(isAllowed({ name: '@fontsource-variable/inter', license: 'OFL-1.1' }), 'a font')
  t.end()
})

t.test('the licences say so where a package has no file with its licence', t => {
  const folder = t.testdir({
    complete: { LICENSE: 'Copyright (c) 2026 A', 'package.json': '{}' },
    readme: {
      'package.json': '{"author": "B"}',
      'README.md': '# readme\n\n## License\n\nCopyright (c) 2026 B\n\n## Use\n\nrequire it\n'
    },
    bare: { 'package.json': '{"author": {"name": "C"}}' }
  })
  const names = ['complete', 'readme', 'bare']
  const packages = names.map(name => ({ name, path: name, version: '1.0.0', license: 'MIT' }))
  const [complete, readme, bare] = licencesOf(folder, packages).split(`\n\n${'-'.repeat(80)}\n\n`)
  t.equal(complete, 'complete 1.0.0 (MIT)\n\nCopyright (c) 2026 A')
  const fact = (author: string) =>
    'The package has no file with its licence. ' +
    `Its package.json names MIT (https://spdx.org/licenses/MIT.html), and the author ${author}.`
  t.equal(readme, `readme 1.0.0 (MIT)\n\n${fact('B')}\n\nIts README says:\n\nCopyright (c) 2026 B`)
  t.equal(bare, `bare 1.0.0 (MIT)\n\n${fact('C')}\n`)
  t.end()
})

t.test('the notes of a release are its section of the changelog', t => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-11-28\n\n### Added\n\n- A\n\n## [1.0.0]\n\n- B\n'
  t.equal(notesOf(changelog, '1.1.0'), '### Added\n\n- A\n')
  t.throws(() => notesOf(changelog, '1.2.0'), { message: /has no section of 1\.2\.0: give Unreleased this number/ })
  t.throws(() => notesOf(changelog, '1.0.0'), { message: /has no date/ })
  t.throws(() => notesOf('## [1.3.0] - 2026-11-28\n', '1.3.0'), { message: /is empty/ })
  t.end()
})

/** Commits what is in a folder. @returns git there */
function commit(folder: string) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'test')
  return git
}

t.test('a release is made of a commit with its tag, and of nothing else', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'README.md'), 'A tracker.\n')
  const git = commit(folder)
  t.throws(() => assertTagged(folder, '1.1.0'), { message: /has no tag: git tag --annotate v1\.1\.0/ })
  git('tag', 'v1.0.0')
  t.throws(() => assertTagged(folder, '1.1.0'), { message: /package\.json says 1\.1\.0, .* has the tag v1\.0\.0/ })
  git('tag', 'v1.1.0')
  t.doesNotThrow(() => assertTagged(folder, '1.1.0'))
  appendFileSync(join(folder, 'README.md'), 'Changed.\n')
  t.throws(() => assertTagged(folder, '1.1.0'), { message: /Commit, remove or ignore first:\n *M README\.md/ })
  t.end()
})

t.test('the image is built of the present files that .dockerignore lets in', t => {
  const folder = t.testdir({
    '.dockerignore': '# The server.\n*\n!core\n!LICENSE\n**/test\n**/*.test.ts\n',
    '.gitignore': '*.log\n',
    Dockerfile: '',
    LICENSE: '',
    'README.md': '',
    core: { 'main.ts': '', 'old.ts': '', 'main.test.ts': '', test: { 'helper.ts': '' } }
  })
  commit(folder)
  rmSync(join(folder, 'core/old.ts'))
  for (const file of ['new.ts', 'a.log']) writeFileSync(join(folder, 'core', file), '')
  t.strictSame(imageFiles(folder), ['.dockerignore', 'Dockerfile', 'LICENSE', 'core/main.ts', 'core/new.ts'])
  t.end()
})

t.test('a release replaces an earlier one, and no other folder', t => {
  const folder = temporaryFolder(t)
  t.doesNotThrow(() => assertReplaceable(join(folder, 'release')), 'not there')
  t.doesNotThrow(() => assertReplaceable(folder), 'empty')
  mkdirSync(join(folder, 'staged'))
  for (const name of ['SHA256SUMS', 'tracker-1.1.0.tgz']) writeFileSync(join(folder, name), '')
  t.doesNotThrow(() => assertReplaceable(folder), 'a release, and what an interrupted one has left')
  writeFileSync(join(folder, 'notes.txt'), '')
  t.throws(() => assertReplaceable(folder), { message: / has notes\.txt in it, .*: name another folder with --to/ })
  t.end()
})

t.test('a release is written into the checkout only', t => {
  t.equal(folderIn('/checkout/', 'made/release'), '/checkout/made/release')
  for (const to of ['/release', '../release', 'made/../../release']) {
    t.throws(() => folderIn('/checkout/', to), { message: /is not possible: name a folder of this checkout/ })
  }
  t.end()
})

/*
 * `npm run release`: makes the files of a release (docs/releases.md) of a tagged commit, in `release/`. With
 * `-- --untagged` it takes the present state, for tests; its notes are the unreleased changes.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { create } from 'tar'
import { digestFiles, filesIn } from '../../core/backup/archive.ts'
import { readOptions } from '../read-options.ts'
import { assertInstalled, assertReplaceable, assertTagged, folderIn, notesOf, sectionOf } from './checks.ts'
import { imageFiles } from './image.ts'
import { isAllowed, licencesOf, productionPackages } from './licences.ts'
import { stage } from './stage.ts'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../..', import.meta.url))
const { untagged, to } = readOptions('npm run release [-- --untagged] [--to FOLDER]', {
  options: { untagged: { type: 'boolean' }, to: { type: 'string', default: 'release' } }
}).values
const out = folderIn(project, to)
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }
const name = `tracker-${version}`
const MAX_OUTPUT_BYTES = 1 << 26

/** @throws Error that says what to do first */
function prepareNotes(): string {
  const changelog = readFileSync(join(project, 'CHANGELOG.md'), 'utf8')
  assertReplaceable(out)
  assertInstalled(project)
  if (untagged) return sectionOf(changelog, 'Unreleased')!.text
  assertTagged(project, version)
  return notesOf(changelog, version)
}

/** Packs files of a folder; the same content makes the same bytes. */
const pack = (cwd: string, files: string[], file: string, prefix = ''): Promise<void> =>
  create({ cwd, file: join(out, file), prefix, gzip: { level: 9 }, portable: true, mtime: new Date(0) }, files)

/** The part of the interface's manifest that is read here. */
interface Interface {
  libraries: Array<{ name: string; version: string }>
}
interface Sbom {
  metadata: { component: { name: string } }
  components: Array<{ name: string; version: string }>
  dependencies: Array<{ ref: string; dependsOn: string[] }>
}

/** Lists the packages in the release, with those whose code is in the built interface. */
async function writeSbom(shipped: ReadonlySet<string>): Promise<void> {
  // Not `--omit=dev`, which leaves out libraries that something of development needs, too.
  const options = ['--sbom-format=cyclonedx', '--package-lock-only']
  const { stdout } = await run('npm', ['sbom', ...options], { cwd: project, maxBuffer: MAX_OUTPUT_BYTES })
  const sbom = JSON.parse(stdout) as Sbom
  const isShipped = (ref: string) => shipped.has(ref) || ref === `tracker@${version}`
  sbom.metadata.component.name = 'tracker'
  sbom.components = sbom.components.filter(each => isShipped(`${each.name}@${each.version}`))
  if (sbom.components.length !== shipped.size) {
    throw new Error(`npm sbom names ${sbom.components.length} of the ${shipped.size} packages in the release.`)
  }
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }))
  await writeFile(join(out, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`)
}

async function writeChecksums(): Promise<void> {
  const digests = Object.entries(await digestFiles(out)).sort()
  await writeFile(join(out, 'SHA256SUMS'), digests.map(([file, digest]) => `${digest}  ${file}\n`).join(''))
}

async function release(): Promise<void> {
  const notes = prepareNotes()
  const packages = productionPackages(project)
  const refused = packages.filter(each => !isAllowed(each))
  if (refused.length > 0) {
    const names = refused.map(({ path, license }) => `${path} (${license})`)
    throw new Error(`A release may not contain ${names.join(', ')}.`)
  }
  await rm(out, { recursive: true, force: true })
  const staged = join(out, 'staged')
  await mkdir(staged, { recursive: true })
  const paths = await stage(project, staged)
  const inServer = packages.filter(({ path }) => paths.includes(path))
  const interfaceFile = join(staged, 'server/prepared/interface/manifest.json')
  const { libraries } = JSON.parse(readFileSync(interfaceFile, 'utf8')) as Interface
  const shipped = new Set([...inServer, ...libraries].map(({ name, version }) => `${name}@${version}`))
  const licences = licencesOf(
    project,
    packages.filter(each => shipped.has(`${each.name}@${each.version}`))
  )
  await writeFile(join(staged, 'THIRD-PARTY-LICENCES.txt'), licences)
  await writeFile(join(out, `${name}-licences.txt`), licences)
  await writeFile(join(out, `${name}-notes.md`), notes)
  const files = (await filesIn(staged)).sort()
  // npm takes any name of the folder in it.
  await pack(staged, files, `${name}.tgz`, name)
  await copyFile(join(out, `${name}.tgz`), join(out, `${name}-server.tar.gz`))
  await rm(staged, { recursive: true })
  await pack(project, imageFiles(project), `${name}-image.tar.gz`)
  await writeSbom(shipped)
  await writeChecksums()
  process.stdout.write(
    `${globSync('*', { cwd: out })
      .sort()
      .map(file => join(to, file))
      .join('\n')}\n`
  )
}

try {
  await release()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

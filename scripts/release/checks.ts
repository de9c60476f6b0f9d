import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { readLock } from './lockfile.ts'

/** The section of a version in a changelog: its heading, and the text below it. */
export function sectionOf(changelog: string, version: string): { heading: string; text: string } | undefined {
  const [, ...sections] = `\n${changelog}`.split(/\n## (?=\[)/)
  const section = sections.find(section => section.startsWith(`[${version}]`))
  if (section === undefined) return undefined
  const [heading, ...lines] = section.split('\n')
  return { heading: heading!, text: lines.join('\n').trim() }
}

/**
 * The notes of a release: what the changelog says about it.
 * @throws Error when there is no dated section with a text
 */
export function notesOf(changelog: string, version: string): string {
  const section = sectionOf(changelog, version)
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section of ${version}: give Unreleased this number and a date, and commit it.`)
  }
  if (!/ - \d{4}-\d\d-\d\d$/.test(section.heading)) {
    throw new Error(`The section of ${version} in CHANGELOG.md has no date: “## [${version}] - 2026-11-28”, say.`)
  }
  if (section.text === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty: say what changed.`)
  return `${section.text}\n`
}

/** @throws Error unless everything is committed, and the commit has the tag of the version */
export function assertTagged(folder: string, version: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain')
  if (changed !== '') {
    throw new Error(`A release is made of what is committed. Commit, remove or ignore first:\n${changed}`)
  }
  const tags = git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean)
  if (tags.includes(`v${version}`)) return
  throw new Error(
    tags.length === 0
      ? `This commit has no tag: git tag --annotate v${version} --message 'tracker ${version}' makes it.`
      : `package.json says ${version}, and this commit has the tag ${tags.join(', ')}: one of them is wrong.`
  )
}

/** @throws Error when other packages are installed than the lock file names */
export function assertInstalled(folder: string): void {
  const installed = readLock(folder, 'node_modules/.package-lock.json')
  const others = Object.entries(readLock(folder))
    .filter(([path, { dev, optional, version }]) => path && !dev && !optional && installed[path]?.version !== version)
    .map(([path]) => path)
  if (others.length === 0) return
  throw new Error(`Other packages are installed than package-lock.json names (${others[0]}, say): run npm ci.`)
}

/**
 * The folder of a release.
 * @throws Error unless it is in the project, by a path from there
 */
export function folderIn(project: string, to: string): string {
  const folder = join(project, to)
  if (isAbsolute(to) || relative(project, folder).startsWith('..')) {
    throw new Error(`--to ${to} is not possible: name a folder of this checkout, such as release.`)
  }
  return folder
}

const OF_RELEASE = /^(?:staged|SHA256SUMS|tracker-\d.*)$/

/** @throws Error when a folder, which a release replaces, has anything but an earlier release in it */
export function assertReplaceable(folder: string): void {
  const other = existsSync(folder) && readdirSync(folder).find(name => !OF_RELEASE.test(name))
  if (!other) return
  throw new Error(`${folder} has ${other} in it, which is no file of a release: name another folder with --to.`)
}

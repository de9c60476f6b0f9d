import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './files.ts'

/** Licences that require no notice. */
const WITHOUT_NOTICE = ['Unlicense', '0BSD', 'CC0-1.0']

interface Library {
  name: string
  version: string
  license?: string
  text: string
}

/** @throws Error when a library that requires a notice has no licence file */
export async function librariesOf(inputs: readonly string[]): Promise<Library[]> {
  const folders = inputs.map(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0])
  const libraries = [...new Set(folders.filter(folder => folder !== undefined))].toSorted()
  return Promise.all(libraries.map(readLibrary))
}

/** Their licences as one text, because they require it wherever they are served. */
export const licensesOf = (libraries: readonly Library[]): string =>
  libraries
    .map(({ name, version, license, text }) => `${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`)
    .join('\n\n')

async function readLibrary(library: string): Promise<Library> {
  const folder = join(root, library)
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Library
  const file = (await readdir(folder)).find(name => /^(?:licen[cs]e|copying)(?:\.|-|$)/i.test(name))
  if (file === undefined && !WITHOUT_NOTICE.includes(license ?? '')) {
    throw new Error(`${library} has no file with its licence: it may not be part of the bundle.`)
  }
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return { name, version, text, ...(license !== undefined && { license }) }
}

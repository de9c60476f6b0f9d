import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './files.ts'

/** Licences that require no notice. */
const WITHOUT_NOTICE = ['Unlicense', '0BSD', 'CC0-1.0']

/**
 * The licences of the libraries in the bundle, as one text, because they require it wherever they are served.
 * @param inputs paths of the bundled files, relative to the project
 * @throws Error when a library has no licence file
 */
export async function licensesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.map(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0])
  const libraries = [...new Set(folders.filter(folder => folder !== undefined))].toSorted()
  return (await Promise.all(libraries.map(licenseOf))).join('\n\n')
}

async function licenseOf(library: string): Promise<string> {
  const folder = join(root, library)
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const file = (await readdir(folder)).find(name => /^(?:licen[cs]e|copying)(?:\.|-|$)/i.test(name))
  if (file === undefined && !WITHOUT_NOTICE.includes(license ?? '')) {
    throw new Error(`${library} has no file with its licence: it may not be part of the bundle.`)
  }
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return `${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`
}

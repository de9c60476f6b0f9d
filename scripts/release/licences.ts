import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import parseExpression, { type LicenceExpression } from 'spdx-expression-parse'
import { readLock } from './lockfile.ts'
import { licenceFiles } from './modules.ts'

/** The library of the documentation's search: of development, but its code is in what is built. */
export const DOCUMENTATION_LIBRARY = 'node_modules/minisearch'

/** A package that a server needs: a production dependency, or one of these. */
export interface ProductionPackage {
  /** Its folder, such as `node_modules/pg`. */
  path: string
  name: string
  version: string
  license: string
}

/** Licences that ask for a notice at most: whoever gets tracker may do with it what Apache-2.0 allows. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense'
])
const OF_FONTS = { license: 'OFL-1.1', packages: /^@fontsource(?:-variable)?\// }

/** The packages of package-lock.json whose code a release can have. */
export function productionPackages(folder: string): ProductionPackage[] {
  return Object.entries(readLock(folder))
    .filter(([path, { dev }]) => path !== '' && (!dev || path === DOCUMENTATION_LIBRARY))
    .map(([path, { version, license = 'unknown' }]) => ({
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license
    }))
}

/** True if tracker may contain a package: one of the licences that it offers is enough. */
export function isAllowed({ name, license }: Pick<ProductionPackage, 'name' | 'license'>): boolean {
  const allows = (offer: LicenceExpression): boolean => {
    if ('license' in offer) {
      return offer.license === OF_FONTS.license ? OF_FONTS.packages.test(name) : PERMISSIVE.has(offer.license)
    }
    const { conjunction, left, right } = offer
    return conjunction === 'or' ? allows(left) || allows(right) : allows(left) && allows(right)
  }
  try {
    return allows(parseExpression(license))
  } catch {
    // No expression: unknown, or a text such as “SEE LICENSE IN file”.
    return false
  }
}

/** The licences of the packages as one text. */
export const licencesOf = (folder: string, packages: readonly ProductionPackage[]): string =>
  packages
    .map(each =>
      [`${each.name} ${each.version} (${each.license})`, ...textsOf(join(folder, each.path), each.license)].join('\n\n')
    )
    .join(`\n\n${'-'.repeat(80)}\n\n`) + '\n'

/** The licence texts of a package: its files, or else a text from its package.json and its README. */
function textsOf(folder: string, license: string): string[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim()
  const files = licenceFiles(folder)
  if (files.length > 0) return files.map(read)
  const { author } = JSON.parse(read('package.json')) as { author?: string | { name: string } }
  const by = author === undefined ? '' : `, and the author ${typeof author === 'string' ? author : author.name}`
  const readme = readdirSync(folder).find(file => /^readme/i.test(file))
  const section = readme && /^#+ licen[cs]e\b.*\r?\n([^]*?)(?=\n#|$(?![^]))/im.exec(read(readme))?.[1]
  return [
    'The package has no file with its licence. ' +
      `Its package.json names ${license} (https://spdx.org/licenses/${license}.html)${by}.`,
    ...(section ? [`Its README says:\n\n${section.trim()}`] : [])
  ]
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { compareVersions } from '../db/migrate/migrate.ts'
import { version } from '../../lib/packages/version.ts'
import { problemsOf } from '../http/validation.ts'
import { digestFiles } from './archive.ts'

/** The first entry of a backup: what it is, and what must be in it. */
export const MANIFEST = 'tracker-backup.json'

const manifestSchema = Type.Object({
  format: Type.Literal(1),
  /** The version of tracker that made it. */
  version: Type.String(),
  createdAt: Type.String(),
  /** Rows of each table, if they were counted. */
  tables: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  /** The SHA-256 of each file. */
  digests: Type.Record(Type.String(), Type.String())
})
export type Manifest = Static<typeof manifestSchema>

/**
 * Checks an unpacked backup.
 * @param file for errors
 * @throws Error when it is of a newer version, or not as it was made
 */
export async function readChecked(folder: string, file: string): Promise<Manifest> {
  const manifest = await readFile(join(folder, MANIFEST), 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined)
  const of = (manifest as Partial<Manifest> | undefined)?.version
  if (typeof of === 'string' && compareVersions(of, version) > 0) {
    throw new Error(`${file} is of tracker ${of}, and this is ${version}: install ${of} or newer, then restore it.`)
  }
  if (!isManifest(manifest)) throw new Error(`${file} is no backup of tracker: name a file that \`backup\` has made.`)
  const { [MANIFEST]: _, ...digests } = await digestFiles(folder)
  const damaged = new Set([...Object.keys(manifest.digests), ...Object.keys(digests)])
  for (const path of damaged) if (manifest.digests[path] === digests[path]) damaged.delete(path)
  if (damaged.size > 0) throw new Error(`${file} is damaged: ${[...damaged].join(', ')} differ from what was saved.`)
  return manifest
}

const isManifest = (value: unknown): value is Manifest => problemsOf(manifestSchema, value, '').length === 0

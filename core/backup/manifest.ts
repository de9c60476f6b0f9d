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
  version: Type.String(),
  createdAt: Type.String(),
  tables: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  digests: Type.Record(Type.String(), Type.String())
})
export type Manifest = Static<typeof manifestSchema>

/** @throws Error when an unpacked backup is of a newer version, or not as it was made. @param file for errors */
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

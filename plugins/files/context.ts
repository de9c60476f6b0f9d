import { Type } from 'typebox'
import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { files, STORES } from './contract.ts'

const MIB = 1024 * 1024

const settings = Closed({
  store: Type.Optional(
    Type.Enum([...STORES], {
      description:
        'Where new files are stored: `folder`, or `database`, for which backups and replicas need nothing else. ' +
        'Default: `folder` with the embedded database, `database` with PostgreSQL.'
    })
  ),
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The folder of the store `folder`; all replicas must share it. Default: `files` in `dataDir`.'
    })
  ),
  maxBytes: Type.Integer({ default: 25 * MIB, minimum: 1, description: 'Most bytes of a file.' }),
  maxBytesPerWorkspace: Type.Integer({
    default: 10 * 1024 * MIB,
    minimum: 1,
    description: 'Most bytes of all files of a workspace.'
  }),
  uploadStallTimeoutMs: Type.Integer({
    default: 60_000,
    minimum: 100,
    description: 'Milliseconds without a byte after which an upload is ended.'
  }),
  keepUnusedDays: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3650,
    description: 'Days after which a file is removed that no text has named.'
  })
})

export const dependencies = dependsOn(files, { requires: [workspace, issues], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>

import type { Id } from '../../core/api/database/types.ts'
import { Type } from 'typebox'
import { database, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { files, STORES } from './contract.ts'

const MIB = 1024 * 1024

const settings = Closed({
  store: Type.Optional(
    Type.Enum([...STORES], {
      description:
        'Where new files go: `folder`, `s3`, or `database`, for which backups and replicas need nothing else. ' +
        'Default: `folder` with the embedded database, `database` with PostgreSQL.'
    })
  ),
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The folder of the store `folder`; all replicas must share it. Default: `files` in `dataDir`.'
    })
  ),
  s3Bucket: Type.Optional(Type.String({ minLength: 1, description: 'The bucket of the store `s3`.' })),
  s3Endpoint: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'The address of a server that is not that of AWS, e.g. `https://minio.example.org`.'
    })
  ),
  s3Region: Type.String({ default: 'us-east-1', minLength: 1, description: 'The region of the bucket.' }),
  s3Prefix: Type.String({
    default: '',
    pattern: '^(?!/)(.*/)?$',
    description: 'The beginning of the names of all objects, e.g. `tracker/`.'
  }),
  s3PathStyle: Type.Boolean({
    default: false,
    description:
      'Whether addresses have the bucket in their path, not in their host: many servers that are not AWS’s need it.'
  }),
  s3AccessKeyId: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'The id of the access key. Without it the SDK of AWS finds one: in `AWS_ACCESS_KEY_ID`, or from the machine.'
    })
  ),
  s3SecretAccessKey: Type.Optional(
    Type.String({ minLength: 1, writeOnly: true, description: 'The secret of the access key.' })
  ),
  maxBytes: Type.Integer({ default: 25 * MIB, minimum: 1, description: 'Most bytes of a file.' }),
  maxBytesPerWorkspace: Type.Integer({
    default: 10 * 1024 * MIB,
    minimum: 1,
    reloads: true,
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

export const dependencies = dependsOn(files, { requires: [workspace, issues, database], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>

export interface FileKey {
  readonly workspaceId: Id
  readonly id: Id
}

import { Type } from 'typebox'
import { MAX_MODEL_SIDE } from './content/inspection.ts'
import { Closed, IdText, Line, Ref, Time } from '../../core/api/schemas.ts'

export const tags = ['files']

export const StoredFile = Closed({
  id: IdText,
  name: Type.String(),
  mimeType: Type.String({ description: 'Found from the content.' }),
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'Of the content, in hexadecimal digits.' }),
  width: Type.Optional(Type.Integer({ description: 'Of an image, in pixels.' })),
  height: Type.Optional(Type.Integer()),
  url: Type.String({ description: '`/v1/files/<id>/<name>`: the address of the content, for texts.' }),
  createdAt: Time,
  createdBy: Closed({ id: IdText, fullname: Type.String() })
})

export const MAX_JSON_IMAGE_BYTES = 1024 * 1024
export const MAX_JSON_TEXT_BYTES = 64 * 1024

export const FileQuery = Closed({
  content: Type.Optional(
    Type.Boolean({ description: 'With the content of a small image or text: see the fields `base64` and `text`.' })
  )
})
export const FileWithContent = Closed({
  ...StoredFile.properties,
  text: Type.Optional(Type.String({ description: 'With `?content=true`: of text of up to 64 KiB.' })),
  base64: Type.Optional(
    Type.String({
      description: `With \`?content=true\`: of PNG, JPEG, GIF, WebP of up to 1 MiB and ${MAX_MODEL_SIDE} pixels a side.`
    })
  )
})

export const ContextFiles = Type.Array(
  Closed({
    id: IdText,
    name: Type.String(),
    mimeType: Type.String(),
    bytes: Type.Integer(),
    url: Type.String()
  }),
  { description: 'Absent where there are none; the first 100.' }
)

export const fileParams = Closed({ id: IdText })
export const contentParams = Closed({ id: IdText, name: Type.String() })
export const issueParams = Closed({ issueId: Ref('The issue’s UUID or key.') })
export const UploadQuery = Closed({
  issueId: Type.Optional(Ref('Short for `subject=issue:<id>`; a key, too.')),
  subject: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_]+:.+$',
      description: '`<type>:<id>`, such as `issue:ENG-2`. Without it, only you read the file until a text names it.'
    })
  )
})
export const PageQuery = Closed({
  limit: Type.Integer({ default: 100, minimum: 1, maximum: 500 }),
  after: Type.Optional(Type.Intersect([IdText], { description: 'The id of the last file of the page before.' }))
})
export const RemovalQuery = Closed({
  reason: Type.Optional(Line(500, { description: 'Why: the event and the log have it.' }))
})

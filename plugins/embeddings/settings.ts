import { Type, type Static } from 'typebox'

export const settings = Type.Object(
  {
    modelDir: Type.String({
      default: './data/models',
      minLength: 1,
      description: 'The folder of the embedding model: its files, or where they are downloaded to.'
    }),
    download: Type.Boolean({ default: true, description: 'Whether a model that is not there is downloaded, once.' }),
    modelUrl: Type.String({
      default: 'https://storage.googleapis.com/qdrant-fastembed/fast-bge-small-en-v1.5.tar.gz',
      pattern: '^https?://',
      description: 'From where: a `.tar.gz` with the files of a model; what it is called is the model’s name.'
    }),
    modelSha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'The SHA-256 of that archive; another is not used.' })
    ),
    maxTokens: Type.Integer({
      default: 256,
      minimum: 16,
      maximum: 8192,
      description: 'Tokens of a text that the model reads at once; more take longer.'
    })
  },
  { additionalProperties: false }
)
export type Settings = Static<typeof settings>

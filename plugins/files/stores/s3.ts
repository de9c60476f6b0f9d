import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { isId, Turns } from '../../../core/api/database/queries.ts'
import { problem } from '../../../core/api/contract.ts'
import type { Store } from './store.ts'
import type { FileKey } from '../context.ts'

/** The minimum of S3. */
const PART_BYTES = 5 * 1024 * 1024
/** Each has a part in memory, twice while it is sent. */
const MAX_WRITES = 6
const MAX_SOCKETS = 256
const CONNECT_TIMEOUT_MS = 5_000
/** Without a byte. */
const IDLE_TIMEOUT_MS = 60_000

export const storeUnavailable = problem(503, 'STORE_UNAVAILABLE')

export interface S3Settings {
  readonly bucket: string
  readonly endpoint: string | undefined
  readonly region: string
  readonly prefix: string
  readonly pathStyle: boolean
  readonly credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** As `<prefix><workspace>/<id>`: names of clients are never part of it. */
export function s3Store({ bucket: Bucket, prefix, ...settings }: S3Settings): Store {
  const keyOf = ({ workspaceId, id }: FileKey) => `${prefix}${workspaceId}/${id}`
  const writes = new Turns(MAX_WRITES, { hasWaitLimit: false })
  let loading: ReturnType<typeof load> | undefined
  const sdk = () => (loading ??= load(settings))

  return {
    async write(file, chunks) {
      const { client, Upload } = await sdk()
      const source = new Source(chunks)
      await writes.take(async () => {
        const params = { Bucket, Key: keyOf(file), Body: Readable.from(source, { objectMode: false }) }
        // When it fails, it removes the parts that it has sent.
        const upload = new Upload({ client, params, queueSize: 1, partSize: PART_BYTES })
        await upload.done().catch((error: Error) => {
          throw source.error ?? unavailable(error)
        })
      })
    },
    async read(file, { start, end }) {
      const { client, GetObjectCommand } = await sdk()
      const Range = `bytes=${start}-${end}`
      const response = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(file), Range })).catch(unlessMissing)
      if (response === undefined) return undefined
      if (!(response.Body instanceof Readable)) throw new Error('The store answered no stream.')
      return response.Body
    },
    async remove(file) {
      const { client, DeleteObjectCommand } = await sdk()
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(file) })).catch(unlessMissing)
    },
    async *list() {
      const { client, paginateListObjectsV2 } = await sdk()
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key = '' } of Contents) {
          const [workspaceId = '', id = '', ...more] = Key.slice(prefix.length).split('/')
          if (isId(workspaceId) && isId(id) && more.length === 0) yield { workspaceId, id }
        }
      }
    },
    async removeWorkspacesUnless(isThere) {
      const { client, DeleteObjectCommand, paginateListObjectsV2 } = await sdk()
      const list = (Prefix: string, Delimiter?: string) =>
        paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter })
      for await (const { CommonPrefixes = [] } of list(prefix, '/')) {
        for (const { Prefix = '' } of CommonPrefixes) {
          const id = Prefix.slice(prefix.length, -1)
          if (!isId(id) || (await isThere(id))) continue
          for await (const { Contents = [] } of list(Prefix)) {
            for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }))
          }
        }
      }
    }
  }
}

/** Loaded when the store is first used. */
async function load({ endpoint, region, pathStyle, credentials }: Omit<S3Settings, 'bucket' | 'prefix'>) {
  const [{ S3Client, ...commands }, { Upload }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage')
  ])
  const agent = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const config: S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    // Not all S3-compatible servers support the checksums that AWS has added.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: agent,
      httpsAgent: agent
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials })
  }
  return { client: new S3Client(config), Upload, ...commands }
}

class Source implements AsyncIterable<Buffer> {
  error: unknown
  readonly #chunks: AsyncIterable<Buffer>

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      yield* this.#chunks
    } catch (error) {
      this.error = error
      throw error
    }
  }
}

function unlessMissing(error: Error): undefined {
  if (error.name !== 'NoSuchKey' && error.name !== 'NotFound') throw unavailable(error)
}

const unavailable = (cause: Error) =>
  Object.assign(
    storeUnavailable('The store of files does not answer as it should: try again, or let an administrator look at it.'),
    { cause }
  )

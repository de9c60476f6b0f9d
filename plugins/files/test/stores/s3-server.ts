import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startFauxqs } from 'fauxqs'
import type { Test } from 'tap'
import { temporaryFolder } from '../../../../test/runner/temporary-folder.ts'

const BUCKET = 'files'

/** An S3-compatible server. */
export interface S3 {
  /** Settings of a server that stores files there. */
  settings: object
  /** The names of the objects. */
  objects(): Promise<string[]>
  /** The parts of uploads that have not ended. */
  parts(): Promise<string[]>
  put(name: string): Promise<unknown>
  empty(): void
  stop(): Promise<void>
}

/** Starts an S3-compatible server with an empty bucket. */
export async function startS3(t: Test): Promise<S3> {
  const folder = temporaryFolder(t)
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, s3StorageDir: folder })
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await server.stop()
    isStopped = true
  }
  t.teardown(stop)
  server.createBucket(BUCKET)
  const filesIn = async (path: string) => {
    const entries = await readdir(join(folder, path), { recursive: true }).catch(() => [])
    return entries.filter(name => name.endsWith('.data')).map(name => name.slice(0, -'.data'.length))
  }
  const endpoint = `http://127.0.0.1:${server.port}`
  const credentials = { accessKeyId: 'test', secretAccessKey: 'secret' }
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })
  t.teardown(() => client.destroy())
  const settings = {
    store: 's3',
    s3Bucket: BUCKET,
    s3Endpoint: endpoint,
    s3PathStyle: true,
    s3AccessKeyId: credentials.accessKeyId,
    s3SecretAccessKey: credentials.secretAccessKey
  }
  return {
    settings,
    objects: () => filesIn(`buckets/${BUCKET}/objects`),
    parts: () => filesIn('_multipart'),
    put: name => client.send(new PutObjectCommand({ Bucket: BUCKET, Key: name, Body: 'x' })),
    empty: () => server.emptyBucket(BUCKET),
    stop
  }
}

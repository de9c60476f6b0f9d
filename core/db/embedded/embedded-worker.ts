import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { DiskFiles } from './disk-files.ts'
import { embeddedExtensions } from './embedded-extensions.ts'
import type { EmbeddedModules, EmbeddedRequest, EmbeddedThreadData } from './embedded-thread.ts'

/* Opens the database, posts the modules, and answers requests in order. */

if (parentPort === null) throw new Error('This file runs in a worker thread.')
const port = parentPort
const { options, modules: compiled } = workerData as EmbeddedThreadData
const { dataDir, template, initDbStartParams, sharedBuffersMb, settings } = options
const modules = compiled ?? (await compileModules())

async function compileModules(): Promise<EmbeddedModules> {
  const compile = async (file: string) =>
    WebAssembly.compile(await readFile(new URL(file, import.meta.resolve('@electric-sql/pglite'))))
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile('pglite.wasm'), compile('initdb.wasm')])
  return { pgliteWasmModule, initdbWasmModule }
}

export const database = await PGlite.create({
  ...(dataDir !== undefined && { fs: new DiskFiles(dataDir) }),
  ...(template && { loadDataDir: template }),
  ...modules,
  initDbStartParams,
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${sharedBuffersMb}MB`],
  extensions: embeddedExtensions
})
for (const [name, value] of Object.entries(settings)) await database.exec(`set ${name} = ${value}`)

async function answer(request: EmbeddedRequest): Promise<void> {
  switch (request.kind) {
    case 'protocol': {
      // The database's own memory cannot be transferred.
      const bytes = (await database.execProtocolRaw(request.bytes)).slice()
      return port.postMessage(bytes, [bytes.buffer])
    }
    case 'dump':
      return port.postMessage(await database.dumpDataDir('none'))
    case 'close':
      await database.close()
      return port.postMessage(undefined)
  }
}

let last = Promise.resolve()
port.on('message', (request: EmbeddedRequest) => {
  last = last.then(() => answer(request))
})
port.postMessage(modules)

import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

const BESIDE = ['tokenizer.json', 'tokenizer_config.json']
/** sentence-transformers' configuration of pooling; absent: the first token's vector is used. */
export const POOLING = join('1_Pooling', 'config.json')
const PREFERRED = ['model_optimized.onnx', 'model.onnx']

export interface ModelFiles {
  name: string
  dir: string
  file: string
  version: string
}

/** Undefined unless all of its files exist. */
export async function modelIn(dir: string): Promise<ModelFiles | undefined> {
  const names: string[] = await readdir(dir).catch(() => [])
  const file = PREFERRED.find(name => names.includes(name)) ?? names.find(name => name.endsWith('.onnx'))
  if (file === undefined || !BESIDE.every(name => names.includes(name))) return undefined
  const versions = await Promise.all(
    [file, ...BESIDE, POOLING].map(async name => {
      const stats = await stat(join(dir, name)).catch(() => undefined)
      return `${name} ${stats?.size} ${stats?.mtimeMs}`
    })
  )
  return { name: basename(resolve(dir)), dir, file, version: [dir, ...versions].join('\n') }
}

/** The name is also that of the download folder. */
export const nameOf = (url: string): string => basename(new URL(url).pathname).replace(/\.(tar\.gz|tgz)$/, '')

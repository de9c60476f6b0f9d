import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { POOLING, type ModelFiles } from './model/files.ts'
import { threadsOn } from './model/threads.ts'

export class OnnxModel {
  /** A hash of everything that determines the vectors. */
  readonly fingerprint: string
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer
  readonly #maxTokens: number
  readonly #takesMean: boolean

  private constructor(
    session: InferenceSession,
    tokenizer: Tokenizer,
    options: { fingerprint: string; maxTokens: number; takesMean: boolean }
  ) {
    this.#session = session
    this.#tokenizer = tokenizer
    this.fingerprint = options.fingerprint
    this.#maxTokens = options.maxTokens
    this.#takesMean = options.takesMean
  }

  /**
   * @param maxTokens of a text that are read; the model may have a lower limit
   * @param threads that compute a vector together
   * @throws Error that names the unusable file
   */
  static async load(
    { dir, file }: Pick<ModelFiles, 'dir' | 'file'>,
    maxTokens: number,
    threads = threadsOn(availableParallelism())
  ): Promise<OnnxModel> {
    const tokenizer = await readJson(join(dir, 'tokenizer.json'))
    const config = await readJson(join(dir, 'tokenizer_config.json'))
    const pooling = existsSync(join(dir, POOLING)) ? await readJson(join(dir, POOLING)) : undefined
    const hash = createHash('sha256')
    for (const name of [file, 'tokenizer.json', ...(pooling ? [POOLING] : [])]) {
      await pipeline(createReadStream(join(dir, name)), hash, { end: false })
    }
    const session = await InferenceSession.create(join(dir, file), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Otherwise the memory of one long text would be kept.
      enableCpuMemArena: false,
      // Otherwise an idle thread would keep its core busy.
      extra: { session: { intra_op: { allow_spinning: '0' } } }
    })
    const { model_max_length: limit } = config
    return new OnnxModel(session, new Tokenizer(tokenizer, config), {
      fingerprint: hash.digest('hex').slice(0, 12),
      maxTokens: typeof limit === 'number' ? Math.min(maxTokens, limit) : maxTokens,
      takesMean: pooling?.['pooling_mode_mean_tokens'] === true
    })
  }

  /** The vector of a text, of length 1; of length 0 for a text without meaning to the model. */
  async embed(text: string): Promise<number[]> {
    const ids = this.#tokenize(text)
    const tensorOf = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
    // One text at a time: in a batch, texts are padded to the longest, and change the vectors of others if quantised.
    const inputs: Record<string, Tensor> = {
      input_ids: tensorOf(ids),
      attention_mask: tensorOf(ids.map(() => 1)),
      token_type_ids: tensorOf(ids.map(() => 0))
    }
    const { inputNames, outputNames } = this.#session
    const known = Object.entries(inputs).filter(([name]) => inputNames.includes(name))
    const outputs = await this.#session.run(Object.fromEntries(known))
    const name = ['sentence_embedding', 'last_hidden_state'].find(name => name in outputs) ?? outputNames[0]!
    return normalize(this.#pool(outputs[name]!))
  }

  release(): Promise<void> {
    return this.#session.release()
  }

  #tokenize(text: string): number[] {
    const { ids } = this.#tokenizer.encode(text)
    if (!ids.every(Number.isInteger)) throw new Error('Its tokenizer.json is of a kind that cannot be used.')
    return ids.length > this.#maxTokens ? [...ids.slice(0, this.#maxTokens - 1), ids.at(-1)!] : ids
  }

  /** One vector from those of the tokens; some models return only one. */
  #pool({ data, dims }: Tensor): number[] {
    const dimensions = dims.at(-1)!
    const values = Array.from(data as Float32Array)
    const tokens = this.#takesMean ? values.length / dimensions : 1
    return values.slice(0, dimensions).map((_, n) => {
      let sum = 0
      for (let at = n; at < tokens * dimensions; at += dimensions) sum += values[at]!
      return sum / tokens
    })
  }
}

function normalize(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map(value => value / length) : [...vector]
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw new Error(`${path} is no whole JSON file: ${(error as Error).message}`, { cause: error })
  }
}

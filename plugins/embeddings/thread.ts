import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parentPort } from 'node:worker_threads'
import { EmbeddingModel, FlagEmbedding } from 'fastembed'
import type { Answer, Question } from './runtime.ts'

/*
 * The thread that models run in. It never ends by itself: onnxruntime can be loaded once in the life of a process.
 */

const models = new Map<number, FlagEmbedding>()

async function answer({ question }: Question): Promise<unknown> {
  switch (question.kind) {
    case 'load': {
      const { dir, file, maxTokens, handle } = question
      const hash = createHash('sha256')
      for (const name of [file, 'tokenizer.json']) {
        await pipeline(createReadStream(join(dir, name)), hash, { end: false })
      }
      const model = await FlagEmbedding.init({
        model: EmbeddingModel.CUSTOM,
        modelAbsoluteDirPath: dir,
        modelName: file,
        maxLength: maxTokens
      })
      const [vector] = await embed(model, ['Does it work?'])
      models.set(handle, model)
      return { fingerprint: hash.digest('hex').slice(0, 12), dimensions: vector!.length }
    }
    case 'embed': {
      const model = models.get(question.handle)
      if (!model) throw new Error('The model is not loaded.')
      return embed(model, question.texts)
    }
    case 'release':
      models.delete(question.handle)
  }
}

async function embed(model: FlagEmbedding, texts: string[]): Promise<number[][]> {
  const vectors: number[][] = []
  for await (const batch of model.embed(texts, texts.length)) vectors.push(...batch.map(vector => Array.from(vector)))
  if (vectors.some(vector => !vector.every(Number.isFinite))) {
    throw new Error('The model answers with something that is not a number.')
  }
  return vectors
}

// On Linux this is about this thread and those that it starts; elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(0, 5)

parentPort?.on('message', (question: Question) => {
  const reply = (message: Omit<Answer, 'id'>) => parentPort?.postMessage({ id: question.id, ...message })
  answer(question).then(
    result => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) })
  )
})

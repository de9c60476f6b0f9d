import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { OnnxModel } from '../onnx-model.ts'
import type { Answer, Question } from './runtime.ts'

/* The thread of the models. It never ends by itself: onnxruntime can be loaded once in a process. */

const models = new Map<number, OnnxModel>()

async function answer({ question }: Question): Promise<unknown> {
  const { handle } = question
  switch (question.kind) {
    case 'load': {
      const { maxTokens } = question
      const model = await OnnxModel.load(question, maxTokens)
      // The longest text that it will read.
      const [vector] = await embed(model, ['Does it work? '.repeat(maxTokens)])
      models.set(handle, model)
      return { fingerprint: model.fingerprint, dimensions: vector!.length }
    }
    case 'embed': {
      const model = models.get(handle)
      if (!model) throw new Error('The model is not loaded.')
      return embed(model, question.texts)
    }
    case 'release':
      await models.get(handle)?.release()
      models.delete(handle)
  }
}

async function embed(model: OnnxModel, texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = []
  for (const text of texts) vectors.push(await model.embed(text))
  if (vectors.some(vector => !vector.every(Number.isFinite))) {
    throw new Error('The model answers with something that is not a number.')
  }
  return vectors
}

// On Linux this sets the priority of this thread and those that it starts; elsewhere that of the whole process.
if (process.platform === 'linux') setPriority(0, 5)

parentPort?.on('message', (question: Question) => {
  const reply = (message: Omit<Answer, 'id'>) => parentPort?.postMessage({ id: question.id, ...message })
  answer(question).then(
    result => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) })
  )
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * A real model, small enough to be written down: a vector for each known word; a text is their sum. The ONNX file is a
 * protocol buffer of a few messages, composed here by the numbers of their fields.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */

/** Words and their vectors, all of the same length; other words have no meaning. */
type Meanings = Record<string, readonly number[]>

/** Writes a model into a folder. @param pooling of the words' vectors, which the model then returns separately */
export async function writeModel(dir: string, meanings: Meanings, pooling?: 'first' | 'mean'): Promise<void> {
  const words = Object.keys(meanings)
  const dimensions = Object.values(meanings)[0]!.length
  const nothing = new Array<number>(dimensions).fill(0)
  const vocabulary = ['[PAD]', '[UNK]', ...words]
  const special = vocabulary.slice(0, 2).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true
  }))
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100
    }
  }
  await mkdir(dir, { recursive: true })
  const rows = [nothing, nothing, ...Object.values(meanings)]
  await writeFile(join(dir, 'model.onnx'), modelOf(rows, pooling === undefined))
  await writeFile(join(dir, 'tokenizer.json'), JSON.stringify(tokenizer))
  await writeFile(join(dir, 'tokenizer_config.json'), JSON.stringify({ model_max_length: 64, pad_token: '[PAD]' }))
  if (pooling === undefined) return
  await mkdir(join(dir, '1_Pooling'), { recursive: true })
  const config = { pooling_mode_cls_token: pooling === 'first', pooling_mode_mean_tokens: pooling === 'mean' }
  await writeFile(join(dir, '1_Pooling', 'config.json'), JSON.stringify(config))
}

const FLOAT = 1
const INT64 = 7

/** ModelProto: looks the words up, leaves out the padding, and may add them. */
function modelOf(rows: ReadonlyArray<readonly number[]>, isSum: boolean): Buffer {
  const dimensions = rows[0]!.length
  const shape = ['batch', 'sequence']
  const graph = [
    node('Gather', ['embeddings', 'input_ids'], 'words'),
    node('Cast', ['attention_mask'], 'mask', attribute('to', FLOAT)),
    node('Unsqueeze', ['mask', 'two'], 'column'),
    node('Mul', ['words', 'column'], isSum ? 'present' : 'last_hidden_state'),
    ...(isSum ? [node('ReduceSum', ['present', 'one'], 'last_hidden_state', attribute('keepdims', 1))] : []),
    text(2, 'sum of words'),
    tensor('embeddings', FLOAT, [rows.length, dimensions], new Float32Array(rows.flat())),
    tensor('one', INT64, [1], new BigInt64Array([1n])),
    tensor('two', INT64, [1], new BigInt64Array([2n])),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map(name => value(11, name, INT64, shape)),
    value(12, 'last_hidden_state', FLOAT, ['batch', isSum ? 1 : 'sequence', dimensions])
  ]
  const OPSET = 13
  return Buffer.concat([number(1, 8), message(7, ...graph), message(8, text(1, ''), number(2, OPSET))])
}

const node = (operator: string, inputs: string[], output: string, ...attributes: Buffer[]) =>
  message(1, ...inputs.map(input => text(1, input)), text(2, output), text(4, operator), ...attributes)
const attribute = (name: string, value: number) => message(5, text(1, name), number(3, value), number(20, 2))
const tensor = (name: string, type: number, shape: number[], values: Float32Array | BigInt64Array) =>
  message(
    5,
    ...shape.map(size => number(1, size)),
    number(2, type),
    text(8, name),
    message(9, Buffer.from(values.buffer))
  )
const value = (field: number, name: string, type: number, shape: Array<string | number>) =>
  message(
    field,
    text(1, name),
    message(
      2,
      message(
        1,
        number(1, type),
        message(2, ...shape.map(size => message(1, typeof size === 'string' ? text(2, size) : number(1, size))))
      )
    )
  )

// The wire format: https://protobuf.dev/programming-guides/encoding/
function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return Buffer.from([...bytes, value])
}
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])
const message = (field: number, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts)
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}
const text = (field: number, content: string) => message(field, Buffer.from(content))

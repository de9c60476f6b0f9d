import { hasFields } from '../../../lib/util/has-fields.ts'
import { fieldsIn, parseJsonLine, stringIn, type Fields } from '../runner/json-line.ts'

/*
 * The usage in the streams of agents' clients that `steps/streams.ts` names, as their documentation and sources
 * describe them. Other lines are ignored.
 */

/** Cumulative figures of a model. */
export interface ModelUsage {
  reportId: string
  session: string
  model: string
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  costUsd?: number | undefined
}
type Counts = Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'cachedTokens'>

const MAX_COUNT = 1_000_000_000_000
const MAX_COST = 1_000_000
const MAX_NAME_LENGTH = 80

const countIn = (fields: Fields, name: string): number => {
  const value = fields[name]
  return Number.isInteger(value) ? Math.min(Math.max(Number(value), 0), MAX_COUNT) : 0
}
const costIn = (fields: Fields, name: string): number | undefined => {
  const value = fields[name]
  return typeof value === 'number' && value >= 0 && value <= MAX_COST ? value : undefined
}
const textIn = (fields: Fields, name: string): string | undefined =>
  stringIn(fields, name)?.trim().slice(0, MAX_NAME_LENGTH)

/**
 * Reads the lines of a stream.
 * @param unnamed the model of Codex or opencode, whose streams do not name it; default: the client's name
 * @param onUsage called with the figures so far, each time that they change
 */
export function makeStreamReader(
  unnamed: string | undefined,
  onUsage: (usage: ModelUsage) => void
): (line: string) => void {
  const claude = new ClaudeStream(onUsage)
  const opencode = makeOpencodeReader(unnamed ?? 'opencode', onUsage)
  let thread = 'thread'
  return line => {
    const fields = parseJsonLine(line)
    if (fields === undefined) return
    switch (fields['type']) {
      case 'system':
        return claude.begin(fields)
      case 'assistant':
        return claude.addMessage(fields)
      case 'result':
        return claude.end(fields)
      case 'thread.started':
        thread = textIn(fields, 'thread_id') ?? thread
        return
      case 'turn.completed': {
        const counts = codexCounts(fieldsIn(fields, 'usage'))
        if (counts) onUsage({ reportId: `codex ${thread}`, session: thread, model: unnamed ?? 'codex', ...counts })
        return
      }
      case 'step_finish':
        opencode(fields)
    }
  }
}

/** The totals of a thread; its input includes what was read from the cache. */
function codexCounts(usage: Fields | undefined): Counts | undefined {
  if (!usage) return undefined
  const cachedTokens = Math.min(countIn(usage, 'cached_input_tokens'), countIn(usage, 'input_tokens'))
  return {
    inputTokens: countIn(usage, 'input_tokens') - cachedTokens,
    outputTokens: countIn(usage, 'output_tokens'),
    cachedTokens
  }
}

/** Each step has its own figures: those of a session are summed. A model without a known price costs 0 there. */
function makeOpencodeReader(model: string, onUsage: (usage: ModelUsage) => void): (fields: Fields) => void {
  const sessions = new Map<string, Counts & { costUsd: number }>()
  return fields => {
    const part = fieldsIn(fields, 'part')
    const tokens = part && fieldsIn(part, 'tokens')
    if (!tokens) return
    const session = textIn(fields, 'sessionID') ?? 'session'
    const cache = fieldsIn(tokens, 'cache') ?? {}
    const before = sessions.get(session)
    const counts = sum(before, {
      inputTokens: countIn(tokens, 'input') + countIn(cache, 'write'),
      outputTokens: countIn(tokens, 'output') + countIn(tokens, 'reasoning'),
      cachedTokens: countIn(cache, 'read')
    })
    const costUsd = (before?.costUsd ?? 0) + (costIn(part, 'cost') ?? 0)
    sessions.set(session, { ...counts, costUsd })
    onUsage({ reportId: `opencode ${session}`, session, model, ...counts, ...(costUsd > 0 && { costUsd }) })
  }
}

/** Each message has its own figures until the result has the totals, and the cost, of the whole call. */
class ClaudeStream {
  readonly #onUsage: (usage: ModelUsage) => void
  #session = 'session'
  #mainModel = 'claude'
  /** The number of calls of the session: the result of each counts from 0. */
  #call = 1
  #hasResult = false
  /** By id: a message comes in several lines with the same figures. */
  #messages = new Map<string, Counts>()
  #totals = new Map<string, Counts>()

  constructor(onUsage: (usage: ModelUsage) => void) {
    this.#onUsage = onUsage
  }

  begin(fields: Fields): void {
    if (fields['subtype'] !== 'init') return
    this.#session = textIn(fields, 'session_id') ?? this.#session
    this.#mainModel = textIn(fields, 'model') ?? this.#mainModel
    if (!this.#hasResult) return
    this.#hasResult = false
    this.#call += 1
    this.#messages = new Map()
    this.#totals = new Map()
  }

  addMessage(fields: Fields): void {
    const message = fieldsIn(fields, 'message')
    const usage = message && fieldsIn(message, 'usage')
    const id = message && textIn(message, 'id')
    const model = message && textIn(message, 'model')
    // The client writes some messages itself, as `<synthetic>`.
    if (!usage || id === undefined || model === undefined || model.startsWith('<')) return
    const counts = claudeCounts(usage)
    const before = this.#messages.get(id)
    this.#messages.set(id, counts)
    const total = sum(this.#totals.get(model), counts)
    this.#report(model, before ? sum(total, before, -1) : total)
  }

  end(fields: Fields): void {
    this.#hasResult = true
    const models = Object.entries(fieldsIn(fields, 'modelUsage') ?? {}).filter((entry): entry is [string, Fields] =>
      hasFields(entry[1])
    )
    const totals = new Map(
      models.map(([name, usage]) => [
        textIn({ name }, 'name') ?? this.#mainModel,
        {
          inputTokens: countIn(usage, 'inputTokens') + countIn(usage, 'cacheCreationInputTokens'),
          outputTokens: countIn(usage, 'outputTokens'),
          cachedTokens: countIn(usage, 'cacheReadInputTokens'),
          costUsd: costIn(usage, 'costUSD')
        }
      ])
    )
    const usage = fieldsIn(fields, 'usage')
    if (totals.size === 0 && usage) {
      totals.set(this.#mainModel, { ...claudeCounts(usage), costUsd: costIn(fields, 'total_cost_usd') })
    }
    if (totals.size === 0) return
    // Messages may have named a model differently, such as without the size of its context.
    for (const model of this.#totals.keys()) {
      if (!totals.has(model)) this.#report(model, { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }, 0)
    }
    for (const [model, { costUsd, ...counts }] of totals) this.#report(model, counts, costUsd)
  }

  #report(model: string, counts: Counts, costUsd?: number): void {
    this.#totals.set(model, counts)
    const session = this.#session
    this.#onUsage({ reportId: `claude ${session} ${this.#call} ${model}`, session, model, ...counts, costUsd })
  }
}

/** Writing to the cache is input. */
const claudeCounts = (usage: Fields): Counts => ({
  inputTokens: countIn(usage, 'input_tokens') + countIn(usage, 'cache_creation_input_tokens'),
  outputTokens: countIn(usage, 'output_tokens'),
  cachedTokens: countIn(usage, 'cache_read_input_tokens')
})

const NONE: Counts = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
const sum = (a: Counts = NONE, b: Counts, sign: 1 | -1 = 1): Counts => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  cachedTokens: a.cachedTokens + sign * b.cachedTokens
})

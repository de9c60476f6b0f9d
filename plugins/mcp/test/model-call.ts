/** A call as a model writes it, and its outcome. */
export interface ModelCall {
  what: string
  tool: string
  args: Record<string, unknown>
  /**
   * The state before: ENG-1 is closed; another agent has it; there is a second team, OPS; another agent has changed the
   * title of ENG-1 and ticked its first criterion.
   */
  setup?: 'closed' | 'taken' | 'two teams' | 'changed'
  /** Matches the answer of an executed call. */
  done?: object
  /** Matches the context of ENG-1 (or of `of`) afterwards. */
  then?: object
  of?: string
  /** Matches the message of a refusal. */
  refused?: RegExp
}

/** A description that is long enough. */
export const TEXT = 'Something that is wrong and why it should be different.'

/** The JSON of a document: the output of `doc.toJSON()` and the input of `validate`. */
export interface DocJson {
  type: 'doc'
  attrs?: { source?: string | null }
  content: NodeJson[]
}

export interface NodeJson {
  type: string
  attrs?: Record<string, unknown>
  content?: NodeJson[]
  marks?: Array<{ type: string; attrs?: Record<string, unknown> }>
  text?: string
}

/** The things to which a text may refer. */
export interface WikiContext {
  /** The addresses of an issue's attachments, by their names. */
  attachments: ReadonlyMap<string, string>
  /** Full names of those whom the issue names, by user names and account ids. */
  people: ReadonlyMap<string, string>
  /** Stands for an issue, by its key. */
  reference(key: string, otherwise?: string): string
  /** Stands for a person, by an id or user name. */
  mention(id: string, otherwise: string): string
}

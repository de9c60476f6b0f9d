export interface WikiContext {
  /** The addresses of an issue's attachments, by name. */
  attachments: ReadonlyMap<string, string>
  /** Full names of the people in the issue, by user name and account id. */
  people: ReadonlyMap<string, string>
  /** A placeholder for an issue, by key. */
  reference(key: string, otherwise?: string): string
  /** A placeholder for a person, by id or user name. */
  mention(id: string, otherwise: string): string
}

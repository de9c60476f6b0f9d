export interface WikiContext {
  /** By name. */
  attachments: ReadonlyMap<string, string>
  /** By user name and account id. */
  people: ReadonlyMap<string, string>
  reference(key: string, otherwise?: string): string
  mention(id: string, otherwise: string): string
}

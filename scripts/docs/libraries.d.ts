/* Types of what is used of libraries that have none. */

declare module '@11ty/eleventy' {
  interface Configuration {
    addTemplate(path: string, content: string, data: object): void
    setLayoutsDirectory(folder: string): void
    setTemplateFormats(formats: string[]): void
    setUseGitIgnore(uses: boolean): void
  }
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode?: boolean; configPath?: string; config?: (configuration: Configuration) => void }
    )

    write(): Promise<unknown>
  }
}

/* Types of what is used of libraries that have none. */

declare module 'spdx-expression-parse' {
  export type LicenceExpression =
    | { license: string; plus?: true; exception?: string }
    | { conjunction: 'and' | 'or'; left: LicenceExpression; right: LicenceExpression }
  /** @throws Error when the text is no SPDX expression */
  export default function parse(text: string): LicenceExpression
}

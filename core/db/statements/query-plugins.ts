import { CamelCasePlugin } from 'kysely'

/** Names are camelCase in TypeScript and snake_case in the database; keys of JSON are unchanged. */
export const queryPlugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]

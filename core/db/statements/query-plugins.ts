import { CamelCasePlugin } from 'kysely'

/** Names are camelCase in TypeScript and snake_case in the database; keys of JSON stay as they are. */
export const queryPlugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]

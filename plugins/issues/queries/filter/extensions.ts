import type { RawBuilder } from 'kysely'
import type { Filters } from '../../../../lib/filter/filters.ts'
import type { SignedIn } from '../../../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../../../core/api/database/types.ts'

/* Filters that other plugins add or save. This file runs in browsers, too. */

export const ORDERS = ['updatedAt', 'createdAt', 'number', 'priority', 'urgency', 'next', 'sortOrder'] as const
export type Order = (typeof ORDERS)[number]

export interface FilterAsker {
  readonly workspaceId: Id
  readonly accountId: Id
  readonly at: RawBuilder<Date>
}

export type IssueFilter = { readonly key: string } & (
  | {
      /** Over the row `issue`; never null. */
      condition(asker: FilterAsker): RawBuilder<boolean>
    }
  | {
      /** `people`: accounts, by name or id; else words in upper case. */
      readonly values: 'people' | readonly string[]
      /** A query of the ids of the issues with one of these values; undefined: with any. */
      issueIds(asker: FilterAsker, values: readonly string[] | undefined): RawBuilder<unknown>
    }
)

/** Finds filters that were saved under a name or an id, for a reader. @throws 404, 400 when several have the name */
export type FindSavedFilters = (
  reader: SignedIn,
  db: DatabaseHandle,
  ref: string
) => Promise<{ filters: Filters; orderBy: Order }>

/** Nothing: `claims.001_claims` makes the tables that earlier versions made here, which are recorded by this name. */
export async function up(): Promise<void> {}

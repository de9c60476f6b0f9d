/** Nothing: `proof.001_proof` makes the table that earlier versions made here, which are recorded by this name. */
export async function up(): Promise<void> {}

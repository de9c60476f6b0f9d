/** Empty: `proof.001_proof` creates the table that earlier versions created under this name. */
export async function up(): Promise<void> {}

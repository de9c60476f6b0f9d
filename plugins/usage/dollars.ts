/** `$0.0592`, `$12.30` */
export const dollars = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`

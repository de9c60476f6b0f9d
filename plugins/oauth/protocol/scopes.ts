import type { Ctx } from '../context.ts'

/** The known ones; if there are none, those of new agents. */
export function scopesOf(ctx: Ctx, text = ''): string[] {
  const names = new Set(text.split(/\s+/))
  const known = ctx.use.access
    .scopes()
    .map(({ name }) => name)
    .filter(name => names.has(name))
  return known.length > 0 ? known : ctx.use.access.defaultScopes()
}

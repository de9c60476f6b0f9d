import type { Plugin } from '../core/api/plugin.ts'

/** Every installed plugin. One that is off is never imported. */
export const installed: Record<string, () => Promise<{ default: Plugin }>> = {
  workspace: () => import('./workspace/index.ts'),
  agents: () => import('./agents/index.ts'),
  issues: () => import('./issues/index.ts'),
  claims: () => import('./claims/index.ts'),
  proof: () => import('./proof/index.ts'),
  projects: () => import('./projects/index.ts'),
  files: () => import('./files/index.ts'),
  comments: () => import('./comments/index.ts'),
  revisions: () => import('./revisions/index.ts'),
  reactions: () => import('./reactions/index.ts'),
  embeddings: () => import('./embeddings/index.ts'),
  search: () => import('./search/index.ts'),
  importers: () => import('./importers/index.ts'),
  transfer: () => import('./transfer/index.ts'),
  trash: () => import('./trash/index.ts'),
  knowledge: () => import('./knowledge/index.ts'),
  delegation: () => import('./delegation/index.ts'),
  mcp: () => import('./mcp/index.ts'),
  hooks: () => import('./hooks/index.ts'),
  skills: () => import('./skills/index.ts'),
  passwords: () => import('./passwords/index.ts'),
  oidc: () => import('./oidc/index.ts'),
  ui: () => import('./ui/index.ts'),
  oauth: () => import('./oauth/index.ts'),
  inbox: () => import('./inbox/index.ts'),
  views: () => import('./views/index.ts'),
  webhooks: () => import('./webhooks/index.ts'),
  git: () => import('./git/index.ts'),
  demo: () => import('./demo/index.ts')
}

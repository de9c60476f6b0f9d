import { accountDeleted } from '../../core/api/accounts.ts'
import { confinementRules } from '../../core/api/confinement.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { backupFolders, commands, eventTypes, examinations, problems, textListeners } from '../../core/api/points.ts'
import { contextSections, issueChanges } from '../issues/contract.ts'
import { mcpTools } from '../mcp/contract.ts'
import { guideFiles } from '../skills/contract.ts'
import { recordKinds } from '../transfer/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { assertThere, bindNamedFiles } from './binding.ts'
import { fileRules } from './confinement.ts'
import { dependencies } from './context.ts'
import { fileEvents, fileSubjects, fileTexts } from './contract.ts'
import { checkCommand } from './maintenance/check.ts'
import { examineStore } from './maintenance/examination.ts'
import { moveCommand } from './maintenance/move.ts'
import { accounts } from './pictures.ts'
import { filesOfContext } from './queries/context.ts'
import { descriptions } from './queries/issues.ts'
import {
  removeBytes,
  removeContent,
  removeFilesLater,
  removeFilesOf,
  removeOfAccounts,
  removePurged,
  removeUnused,
  removeUnusedFiles
} from './removal.ts'
import { administrationRoutes } from './routes/administration.ts'
import { contentMissing, contentRoutes, rangeNotSatisfiable } from './routes/content.ts'
import { fileRoutes } from './routes/files.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { ContextFiles } from './schemas.ts'
import { isComplete } from './stores/folder.ts'
import { stores } from './stores/stores.ts'
import { tools } from './tools.ts'
import { fileRecords } from './transfer/records.ts'
import { uploadRoute } from './upload/route.ts'

export default definePlugin(dependencies, {
  summary: 'Files: uploads, which belong to the issues, projects and knowledge whose texts name them',
  tables: { file: 'workspace', filePart: 'workspace', fileUsage: 'workspace' },
  migrations: { '001_files': () => import('./migrations/001_files.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of fileEvents) ctx.contribute(eventTypes, type)
    for (const kind of [rangeNotSatisfiable, contentMissing]) ctx.contribute(problems, kind)
    ctx.contribute(contextSections, { name: 'files', schema: ContextFiles, json: filesOfContext, isOptional: true })
    ctx.contributeWith(fileSubjects, ({ db }) => [accounts(db)])
    ctx.consume('accounts', { events: [accountDeleted], onGap: 'skip', handle: removeOfAccounts })
    ctx.contribute(fileTexts, descriptions)
    ctx.contributeWith(recordKinds, ctx => [fileRecords(ctx)])
    ctx.contribute(guideFiles, { folder: new URL('./guides/all/', import.meta.url) })
    for (const tool of tools) ctx.contribute(mcpTools, tool)
    ctx.contributeWith(textListeners, ctx => [bindNamedFiles(ctx)])
    ctx.contributeWith(issueChanges, ctx => [
      { purged: (caller, trx, issueIds) => removeFilesLater(ctx, trx, caller, 'issue', issueIds) }
    ])
    ctx.contributeWith(backupFolders, ctx => [{ name: 'files', path: ctx.get(stores).folder, isComplete }])
    ctx.contributeWith(commands, ctx => [moveCommand(ctx), checkCommand(ctx)])
    ctx.contributeWith(examinations, ctx => [{ part: 'files', examine: () => examineStore(ctx) }])
    // A store that is not set up stops the start.
    ctx.onStart(async ctx => ctx.get(stores).assertUsable())
    ctx.work(removeContent, {}, async (payloads, ctx) => {
      for (const file of payloads) await removeBytes(ctx, file)
    })
    ctx.work(removePurged, {}, async (payloads, ctx) => {
      for (const { workspaceId, subject } of payloads) await removeFilesOf(ctx, workspaceId, subject)
    })
    ctx.work(removeUnused, {}, (_payloads, ctx) => removeUnusedFiles(ctx))
    ctx.schedule(removeUnused, '40 4 * * *')
  },
  services: ctx => ({
    assertThere: (caller, trx, markdown) => assertThere(ctx, caller, trx, markdown),
    removeOf: (caller, trx, type, ids) => removeFilesLater(ctx, trx, caller, type, ids)
  }),
  async routes(app, ctx) {
    confinementRules(app, fileRules(ctx))
    fileRoutes(app, ctx)
    pictureRoutes(app, ctx)
    administrationRoutes(app, ctx)
    contentRoutes(app, ctx)
    await app.register(async scope => uploadRoute(scope, ctx))
  }
})

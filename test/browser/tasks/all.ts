import { findingTasks } from './finding.ts'
import { issueTasks } from './issues.ts'
import { planningTasks } from './planning.ts'
import { settingsTasks } from './settings.ts'
import type { Task } from './user.ts'

/** In their order: some see what those before them made. */
export const allTasks: readonly Task[] = [...issueTasks, ...findingTasks, ...planningTasks, ...settingsTasks]

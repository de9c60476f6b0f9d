import { contract, point } from '../../core/api/contract.ts'

/** A plugin's part of the guides: markdown files, so that a guide has parts only of enabled plugins. */
export interface GuideFiles {
  /**
   * Its folder of guides, one folder each. `working-tracker-issues/SKILL.md` is a guide's beginning, in its main
   * plugin; `working-tracker-issues/40-pick-up.md` is a part of it, in any plugin. The parts of all plugins are sorted
   * by name. Parts of a guide without a beginning are left out.
   */
  folder: URL
  /**
   * The parts are in the guides for the core tools, too (`?tools=core`): they name only tools and arguments that
   * `/v1/mcp?tools=core` lists. A test compares them.
   */
  core?: true
  /** The guide that is served as an instruction file instead of a skill: an agent that reads it may have no others. */
  instructions?: string
}

/** A part of a guide without a file of its own. It teaches tools that are not in the core list. */
export interface GuidePart {
  /** Like the path of a file: `working-tracker-issues/40-pick-up.md`. */
  path: string
  text: string
}

export const skills = contract()('skills')
export const guideFiles = point<GuideFiles>()(skills, 'guideFiles')
export const guideParts = point<GuidePart>()(skills, 'guideParts')

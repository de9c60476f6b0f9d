import type { Feature } from './features.ts'

/** How a model weighs the features of a candidate; a feature that is left out counts nothing. */
export interface Weights {
  features: Readonly<Partial<Record<Feature, number>>>
  /** Undefined: known duplicates are not used. */
  duplicates?: {
    /** The weight of ln(1 + known duplicates of the candidate). */
    count: number
    /** For a candidate that is itself a known duplicate. */
    isOne: number
  }
}

/*
 * Learnt from issues that people had marked as duplicates, by maximum likelihood with an L2 penalty towards `base`
 * alone: from 351 of each of two trackers. On a tracker whose issues were not among them they rank as well as `base`
 * does, or better.
 */

/** For an issue that is compared with others. Learnt further from 151 issues, with a penalty towards these. */
export const SIMILAR: Weights = {
  features: {
    base: 3.919,
    logMatch: -0.222,
    shareOfBestMatch: -0.152,
    rarestSharedTerm: 0.169,
    titleShare: 0.969,
    candidateTitleShare: 1.409,
    sharedRareTerms: 0.643,
    titleLength: -0.037,
    descriptionLength: -0.096,
    descriptionLengthRatio: 0.105,
    sharedFacets: 3.007,
    closeInTime: 3.626,
    sameFacets: 0.231,
    isOlder: 0.388,
    closeInOrder300: 0.473,
    closeInOrder3000: 0.257,
    comments: 0.577,
    isCompleted: 0.207,
    isCanceled: -0.19
  },
  duplicates: { count: 0.927, isOne: -0.562 }
}

/**
 * For a free text, which has no date and no labels but those that it names. Learnt further from the titles of 293
 * issues, with a penalty towards these.
 */
export const FREE_TEXT: Weights = {
  features: {
    base: 4.171,
    logMatch: -0.175,
    shareOfBestMatch: 1.001,
    rarestSharedTerm: 0.196,
    titleShare: 1.537,
    candidateTitleShare: 1.629,
    titleLength: -0.099,
    namedLabels: 1.533,
    closeToOtherHits: 4.662,
    descriptionLength: -0.067,
    comments: 0.811,
    isCompleted: 0.27,
    isCanceled: -0.161
  },
  duplicates: { count: 0.969, isOne: -0.56 }
}

/** For rankings by words and known duplicates alone; learning of the other weights started from these. */
export const WORDS_ONLY: Weights = { features: { base: 4 }, duplicates: { count: 0.9, isOne: -0.6 } }

import type { Feature } from './features.ts'

/** A model's weights of the features; missing features count nothing. */
export interface Weights {
  features: Readonly<Partial<Record<Feature, number>>>
  withMeaning: Readonly<Partial<Record<Feature, number>>>
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
 * alone: 351 of each of two trackers. On another tracker they rank at least as well as `base`. Those with meaning were
 * learnt further from 286 issues of one, with a penalty towards these.
 */

/** For comparing an issue with others. Learnt further from 151 issues, with a penalty towards these. */
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
  withMeaning: {
    base: 3.849,
    logMatch: -0.286,
    shareOfBestMatch: -0.42,
    rarestSharedTerm: 0.146,
    titleShare: 0.687,
    candidateTitleShare: 1.303,
    sharedRareTerms: 0.363,
    titleLength: -0.118,
    closeInMeaning: 0.786,
    descriptionLength: -0.097,
    descriptionLengthRatio: 0.16,
    sharedFacets: 2.824,
    closeInTime: 3.57,
    sameFacets: 0.227,
    isOlder: 0.389,
    closeInOrder300: 0.456,
    closeInOrder3000: 0.269,
    comments: 0.683,
    isCompleted: 0.214,
    isCanceled: -0.24
  },
  duplicates: { count: 0.927, isOne: -0.562 }
}

/**
 * For a free text, without date and labels except those that it names. Learnt further from the titles of 293 issues,
 * with a penalty towards these.
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
  withMeaning: {
    base: 3.877,
    logMatch: -0.497,
    shareOfBestMatch: -0.035,
    rarestSharedTerm: 0.173,
    titleShare: 1.126,
    candidateTitleShare: 0.099,
    sharedRareTerms: -0.185,
    titleLength: -0.146,
    namedLabels: 1.488,
    closeToOtherHits: 4.876,
    closeInMeaning: 1.027,
    descriptionLength: 0.048,
    comments: 0.861,
    isCompleted: 0.234,
    isCanceled: -0.218
  },
  duplicates: { count: 0.969, isOne: -0.56 }
}

/** For rankings by words and known duplicates alone; the other weights were learnt starting from these. */
export const WORDS_ONLY: Weights = {
  features: { base: 4 },
  withMeaning: { base: 4, closeInMeaning: 1.052 },
  duplicates: { count: 0.9, isOne: -0.6 }
}

/** The emoji with which a comment can be reacted to, in the order in which they are displayed. */
export const EMOJI = ['THUMBS_UP', 'HEART', 'HOORAY', 'LAUGH', 'EYES', 'THUMBS_DOWN'] as const
export type Emoji = (typeof EMOJI)[number]

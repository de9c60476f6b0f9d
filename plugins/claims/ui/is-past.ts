export const isPast = (time: string | undefined): boolean => time !== undefined && Date.parse(time) < Date.now()

export const phrases = {} as const;

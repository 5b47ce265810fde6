/** Texts quoted from the specification, and texts used in several places. */
export const texts = {
  title: 'SMS accounts',
  firstUse: 'Connect your SMS account',
} as const

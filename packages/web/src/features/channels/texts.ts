/** The specification's own words on these screens, and those that are shown in more than one place. */
export const texts = {
  title: 'SMS accounts',
  firstUse: 'Connect your SMS account',
} as const

export const megabyte = 1024 * 1024

/** The largest file of recipients. */
export const maximumAudienceBytes = 100 * megabyte

export const megabyte = 1024 * 1024

/** The largest file of recipients. */
export const maximumAudienceBytes = 100 * megabyte

/** Room for fifty thousand phone numbers in a body, or for two million characters of pasted ones. */
export const numbersBodyBytes = 2.5 * megabyte

export const megabyte = 1024 * 1024

/** Maximum size of an audience file. */
export const maximumAudienceBytes = 100 * megabyte

/** Fits 50,000 phone numbers in a body, or two million pasted characters. */
export const numbersBodyBytes = 2.5 * megabyte

import { z } from 'zod'

/** A record's own id on the wire: a UUID (version 7 when we made it). */
export const Id = z.uuid()
export const IdPath = z.object({ id: Id })

/** Text of one line, such as a name or a subject. Line breaks would forge lines of mails, logs and exports. */
export const Line = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Enter a single line without control characters')

export const Name = Line.min(1, 'Enter a name').max(120)

/** E.164 with its plus sign. */
export const PhoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, such as +91 98765 43210')

/** The database has no year 0. */
const isAfterYear0 = (text: string) => !text.startsWith('0000')

/** An instant in UTC, ISO 8601. */
export const Instant = z.iso.datetime().refine(isAfterYear0, 'Enter a time after the year 0')

/** A day, ISO 8601. */
export const Day = z.iso.date().refine(isAfterYear0, 'Enter a day after the year 0')

/** An amount of rupees as a number, at most four decimals; money is counted in integers inside. */
export const Rupees = z.number()

/** An IANA time zone this runtime knows. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'Enter a time zone such as Asia/Kolkata')

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A boolean that may arrive as text, in a query or a multipart field. */
export const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

export const Nothing = z.object({})

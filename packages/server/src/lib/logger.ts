import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

/** One JSON line per event. Only the fields a caller names are logged; never bodies, tokens or full phone numbers. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }
  return destination ? pino(options, destination) : pino(options)
}

/** The parts of an error that may be logged. Errors of databases, mail servers and others carry the rows and addresses concerned. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint, cause } = error as Error & Record<string, unknown>
  return {
    type: error.name,
    message: withoutValues(error, error.message),
    stack: withoutValues(error, error.stack ?? ''),
    ...(code === undefined ? {} : { code }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}

/** Removes values quoted in the message. PostgreSQL quotes values in errors of class 22; in others it quotes only names of its own. */
function withoutValues(error: Error & { code?: unknown }, text: string): string {
  const quotesValues = error instanceof SyntaxError || (typeof error.code === 'string' && error.code.startsWith('22'))
  return quotesValues ? text.replaceAll(/"[^]*"/g, '"…"') : text
}

/** A phone number masked for logs. */
export function maskPhone(phone: string | number): string {
  const digits = String(phone)
  return `${digits.slice(0, 4)}…${digits.slice(-2)}`
}

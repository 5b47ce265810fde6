import { pino, type Logger } from 'pino'

export type { Logger }

/** One JSON line per event. Only the fields a caller names are logged; never bodies, tokens or full numbers. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}

/** A phone number as logs may show it. */
export function maskPhone(phone: string | number): string {
  const digits = String(phone)
  return `${digits.slice(0, 4)}…${digits.slice(-2)}`
}

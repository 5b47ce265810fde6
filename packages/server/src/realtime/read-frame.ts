import type { Logger } from '../lib/logger.ts'

/** Clients send JSON strings; unreadable ones are logged and ignored. */
export function readFrame<Parsed>(
  frame: unknown,
  schema: { safeParse(value: unknown): { success: true; data: Parsed } | { success: false } },
  logger: Logger,
): Parsed | undefined {
  const value = typeof frame === 'string' ? parseJson(frame) : frame
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    logger.debug('a socket frame could not be read')
    return undefined
  }
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** command_status of SMPP 3.4, as a server answers it. */
export const statuses = {
  ok: 0x00,
  invalidLength: 0x01,
  invalidCommandLength: 0x02,
  invalidCommand: 0x03,
  invalidBindState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidSource: 0x0a,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  queueFull: 0x14,
  invalidEsmClass: 0x43,
  submitFailed: 0x45,
  throttled: 0x58,
  invalidSchedule: 0x61,
  invalidExpiry: 0x62,
  invalidTlv: 0xc4,
  /** Of SMPP 5.0, which has the code that 3.4 lacks. */
  invalidCoding: 0x104,
} as const

/** A code as documented by operators: 0x58. */
export function showStatus(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(2, '0')}`
}

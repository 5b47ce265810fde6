import { cString, writeTlv, type DeliverSm } from './smpp-wire.ts'

export type IdFormat = { base: 10 | 16; width?: number; upperCase?: boolean }

/** Content of a receipt: its text (appendix B) and optional parameters. */
export type ReceiptParts = {
  text?: boolean
  idTlv?: boolean
  stateTlv?: boolean
  /** Times with seconds. */ seconds?: boolean
}

export type ReceiptStyle = {
  ids: IdFormat | undefined
  parts: ReceiptParts
  from: 'as-submitted' | 'with-plus' | 'empty'
  zoneMinutes: number
  now: number
}

/** Section 5.2.28. */
const stateNumbers: Record<string, number> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
}

const receiptClass = 0x04
const receiptedMessageId = 0x001e
const messageState = 0x0427

export function writeId(id: number, { base, width = 0, upperCase = false }: IdFormat = { base: 10 }): string {
  const digits = id.toString(base).padStart(width, '0')
  return upperCase ? digits.toUpperCase() : digits
}

type Reported = { id: number; from: string; to: string; text: string; at: number }

export function writeReceipt(message: Reported, state: string, style: ReceiptStyle): DeliverSm {
  const { parts, zoneMinutes, now } = style
  const id = writeId(message.id, style.ids)
  const time = (at: number) => localTime(at, zoneMinutes).slice(0, parts.seconds ? 12 : 10)
  const isDelivered = state === 'DELIVRD'
  const dates = `submit date:${time(message.at + now - Date.now())} done date:${time(now)}`
  const text = `id:${id} sub:001 dlvrd:00${isDelivered ? 1 : 0} ${dates} stat:${state} err:${isDelivered ? '000' : '001'} text:${message.text.slice(0, 20)}`
  const from = { 'as-submitted': message.to, 'with-plus': `+${message.to}`, empty: '' }[style.from]
  return {
    from,
    to: message.from,
    esmClass: receiptClass,
    text: parts.text ? text : '',
    tlvs: Buffer.concat([
      ...(parts.idTlv ? [writeTlv(receiptedMessageId, cString(id))] : []),
      ...(parts.stateTlv ? [writeTlv(messageState, Buffer.from([stateNumbers[state] ?? 7]))] : []),
    ]),
  }
}

/** YYMMDDhhmmss in a time zone that many minutes east of UTC. */
function localTime(at: number, zoneMinutes: number): string {
  return new Date(at + zoneMinutes * 60_000).toISOString().replaceAll(/\D/g, '').slice(2, 14)
}

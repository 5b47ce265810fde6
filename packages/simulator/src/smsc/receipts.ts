import type { Account } from '../accounts.ts'
import type { Report, Stat } from '../results.ts'
import { type DeliverSm, tags, type Tlvs } from './pdu.ts'

const messageStates: Record<Stat, number> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
}

export type ReportedMessage = { number: number; from: string; to: string; text: string; submittedAtMs: number }

export function writeMessageId(number: number, base: 'decimal' | 'hexadecimal'): string {
  return base === 'decimal' ? String(number) : number.toString(16)
}

/** The delivery receipt as text (SMPP 3.4 Appendix B), TLVs, or both. */
export function buildReceipt(account: Account, message: ReportedMessage, report: Report): DeliverSm {
  const number = report.stranger ? message.number + 500_000_000 : message.number
  const id = writeMessageId(number, account.receiptIdBase)
  const isText = account.receiptForm !== 'tlv'
  return {
    source: message.to,
    destination: message.from,
    esmClass: 0x04,
    dataCoding: 0,
    body: isText ? Buffer.from(receiptText(id, message, report), 'latin1') : Buffer.alloc(0),
    tlvs: account.receiptForm === 'text' ? [] : receiptTlvs(id, report),
  }
}

function receiptText(id: string, message: ReportedMessage, { stat, error }: Report): string {
  const delivered = stat === 'DELIVRD' ? '001' : '000'
  const text = message.text.slice(0, 20).replace(/[^\u0020-\u007e]/g, '?')
  return `id:${id} sub:001 dlvrd:${delivered} submit date:${shortDate(message.submittedAtMs)} done date:${shortDate(Date.now())} stat:${stat} err:${error} Text:${text}`
}

function receiptTlvs(id: string, { stat, error }: Report): Tlvs {
  const networkError = Buffer.from([3, 0, 0])
  networkError.writeUInt16BE(Number.parseInt(error, 10), 1)
  return [
    { tag: tags.receiptedMessageId, value: Buffer.from(`${id}\0`, 'latin1') },
    { tag: tags.messageState, value: Buffer.from([messageStates[stat]]) },
    { tag: tags.networkErrorCode, value: networkError },
  ]
}

let shownMinute = -1
let shown = ''

const indiaAheadMs = 5.5 * 3_600_000

/** YYMMDDhhmm in Indian time; updated once a minute. */
function shortDate(atMs: number): string {
  const minute = Math.floor(atMs / 60_000)
  if (minute !== shownMinute) {
    shownMinute = minute
    shown = new Date(atMs + indiaAheadMs).toISOString().replace(/\D/g, '').slice(2, 12)
  }
  return shown
}

import { cString } from '../../../lib/smpp/pdu.ts'
import { encodeDelivery, type Address } from '../../../lib/smpp/requests.ts'
import { formatReceiptTime } from '../../../lib/smpp/times.ts'
import { encodeTlv, tag } from '../../../lib/smpp/tlv.ts'
import { describeOutcome, messageStates, type Outcome } from './outcome.ts'

export type Receipt = {
  /** As in the response to the submit. */
  id: string
  /** Those of the message. */
  source: Address
  destination: Address
  submittedAt: Date
  doneAt: Date
  outcome: Outcome
}

/** esm_class of a delivery receipt. */
const deliveryReceipt = 0x04
/** network_error_code of GSM. */
const gsm = 3

/** The body of a deliver_sm with the receipt as in SMPP 3.4, appendix B. Texts of messages are not repeated. */
export function composeReceipt({ id, source, destination, submittedAt, doneAt, outcome }: Receipt): Buffer {
  const { stat, err } = describeOutcome(outcome)
  const delivered = outcome.kind === 'delivered' ? '001' : '000'
  const text = `id:${id} sub:001 dlvrd:${delivered} submit date:${formatReceiptTime(submittedAt)} done date:${formatReceiptTime(doneAt)} stat:${stat} err:${String(err).padStart(3, '0')} text:`
  return encodeDelivery({
    source: destination,
    destination: source,
    esmClass: deliveryReceipt,
    dataCoding: 0,
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs: Buffer.concat([
      encodeTlv(tag.receiptedMessageId, cString(id)),
      encodeTlv(tag.messageState, Buffer.from([messageStates[stat]])),
      encodeTlv(tag.networkErrorCode, Buffer.from([gsm, err >> 8, err & 0xff])),
    ]),
  })
}

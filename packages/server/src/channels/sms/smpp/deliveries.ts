import { coalesce } from '../../../lib/coalesce.ts'
import { every } from '../../../lib/every.ts'
import type { ProviderEvent, ProviderIo } from '../../provider.ts'
import type { SmppConfig } from './config.ts'
import { createInboundReader } from './inbound.ts'
import { receiptedIds } from './message-ids.ts'
import type { Delivered } from '../../../lib/smpp/pdu.ts'
import { isReceipt, parseReceipt } from './receipt.ts'

export type Deliveries = {
  /** The command_status of deliver_sm_resp, sent once the content is stored. */
  take(delivered: Delivered): Promise<number>
  close(): void
}

const stored = 0
/** ESME_RX_T_APPN: the SMSC should retry later. */
const tryAgain = 0x64
const giveUpEveryMs = 30_000
const partPatienceMs = 3_000

export function createDeliveries({ config, io }: { config: SmppConfig; io: ProviderIo }): Deliveries {
  const inbound = createInboundReader(io.clock, config.defaultAlphabet)
  const store = coalesce<ProviderEvent>((events) => io.onEvents(events), { size: 1_000, waitMs: 10 })
  // If storing fails here, the message is lost: its parts were acknowledged when they arrived.
  const givingUp = every(giveUpEveryMs, async () => {
    await storeEvents(inbound.giveUp())
  })

  async function storeEvents(events: ProviderEvent[]): Promise<number> {
    if (events.length === 0) return stored
    try {
      await store(events)
      return stored
    } catch {
      return tryAgain
    }
  }

  async function storeText(delivered: Delivered): Promise<number> {
    const reading = inbound.read(delivered)
    if (reading.kind === 'part') return (await Promise.race([reading.isStored, patience()])) ? stored : tryAgain
    const status = await storeEvents(reading.events)
    reading.settle(status === stored)
    return status
  }

  return {
    take: (delivered) =>
      isReceipt(delivered) ? storeEvents(readReport(delivered, { config, io })) : storeText(delivered),
    close: givingUp.stop,
  }
}

/** An SMSC that sends the next part only after the response to this one must get the response, stored or not. */
function patience(): Promise<boolean> {
  return new Promise((resolve) => setTimeout(resolve, partPatienceMs, true).unref())
}

/** A receipt without a message id is acknowledged and dropped: a repeat would not be readable either. */
function readReport(
  delivered: Delivered,
  { config, io }: { config: SmppConfig; io: Pick<ProviderIo, 'clock'> },
): ProviderEvent[] {
  const { timezoneOffset, vendorErrors, dlrIdBase } = config
  const receipt = parseReceipt(delivered, { timezoneOffset, vendorErrors, now: io.clock.now() })
  if (!receipt) return []
  const { id, text, submittedAt, isLocalTime, ...report } = receipt
  const { ids, readings } = receiptedIds(id, dlrIdBase)
  return [
    {
      kind: 'delivery-report',
      providerMessageIds: ids,
      match: { readings, numbers: numbersIn(delivered), isLocalTime, ...(submittedAt ? { submittedAt } : {}) },
      ...report,
      raw: withoutQuote(text) || `receipt ${id} ${report.code ?? ''}`,
    },
  ]
}

/** A receipt is sent from the recipient's number to the header; at a few operators the other way round. */
function numbersIn({ from, to }: Delivered): string[] {
  if (from === '') return []
  const isNumber = (address: string) => /^\+?\d{7,}$/.test(address)
  return [from, to].filter(isNumber)
}

/** A receipt ends with the beginning of the message, which may be a one-time password. */
function withoutQuote(text: string): string {
  return text.replace(/(\btext:).*$/is, '$1')
}

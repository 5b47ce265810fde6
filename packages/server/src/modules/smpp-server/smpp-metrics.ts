import { createCounter } from '../../lib/metrics.ts'
import { showStatus } from '../../lib/smpp/statuses.ts'

const submits = createCounter({
  name: 'carillon_smpp_submits_total',
  help: 'submit_sm of customers, by the command_status of the response',
  labelNames: ['status'],
})
const receipts = createCounter({
  name: 'carillon_smpp_receipts_total',
  help: 'Receipts sent to customers by SMPP, by the command_status of the response',
  labelNames: ['status'],
})

export function countSubmit(status: number): void {
  submits({ status: showStatus(status) }).count += 1
}

/** The status is the customer's: only known ones are counted apart. */
export function countReceipt(status: number): void {
  receipts({ status: status === 0 ? showStatus(status) : 'refused' }).count += 1
}

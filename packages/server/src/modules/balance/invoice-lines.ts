import type { BillingDetails } from '@carillon/contract/billing'
import { z } from 'zod'

/** One line of an invoice, in ledger units. `tax` lines stand below the subtotal. */
export const InvoiceLine = z.object({
  kind: z.enum(['item', 'tax']),
  description: z.string(),
  units: z.number().nullish(),
  rate: z.number().nullish(),
  amount: z.number(),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** Who stands on an invoice, as it was then. */
export const InvoiceParty = z.object({
  name: z.string().default(''),
  legalName: z.string().default(''),
  address: z.string().default(''),
  gstin: z.string().default(''),
  stateCode: z.string().default(''),
})
export type InvoiceParty = z.infer<typeof InvoiceParty>

type Parties = { issuer: Pick<BillingDetails, 'gstin' | 'stateCode' | 'taxPercent'>; billed: { stateCode: string } }

const unitsPerPaisa = 100

/** Within one state half goes to the centre and half to the state; between two states it is one tax. Whole paise. */
export function taxLines(subtotal: number, { issuer, billed }: Parties): InvoiceLine[] {
  const { gstin, stateCode, taxPercent } = issuer
  if (!gstin || taxPercent === 0 || subtotal <= 0) return []
  const share = (percent: number) => Math.round((subtotal * percent) / 100 / unitsPerPaisa) * unitsPerPaisa
  const line = (name: string, percent: number): InvoiceLine => ({
    kind: 'tax',
    description: `${name} ${percent} %`,
    amount: share(percent),
  })
  const isSameState = stateCode !== '' && stateCode === billed.stateCode
  return isSameState ? [line('CGST', taxPercent / 2), line('SGST', taxPercent / 2)] : [line('IGST', taxPercent)]
}

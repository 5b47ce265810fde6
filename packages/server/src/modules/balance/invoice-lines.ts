import type { BillingDetails } from '@carillon/contract/billing-details'
import { stateOf, utgstStates } from '@carillon/contract/gst-states'
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
  /** Of who issues it. */
  sacCode: z.string().default(''),
  /** Of who is billed: the state whose tax it is. */
  placeOfSupply: z.string().default(''),
})
export type InvoiceParty = z.infer<typeof InvoiceParty>

type Located = Pick<BillingDetails, 'gstin' | 'stateCode'>
type Parties = { issuer: Located & Pick<BillingDetails, 'taxPercent'>; billed: Located }

/** The state of who is billed; of one whose address is not known, that of who issues the invoice. */
export function placeOfSupply({ issuer, billed }: Record<'issuer' | 'billed', Located>): string {
  return stateOf(billed) || stateOf(issuer)
}

const unitsPerPaisa = 100

/** Within one state half goes to the centre and half to the state; between two states it is one tax. Whole paise. */
export function taxLines(subtotal: number, { issuer, billed }: Parties): InvoiceLine[] {
  const { gstin, taxPercent } = issuer
  if (!gstin || taxPercent === 0 || subtotal <= 0) return []
  const share = (percent: number) => Math.round((subtotal * percent) / 100 / unitsPerPaisa) * unitsPerPaisa
  const line = (name: string, percent: number): InvoiceLine => ({
    kind: 'tax',
    description: `${name} ${percent} %`,
    amount: share(percent),
  })
  const state = placeOfSupply({ issuer, billed })
  if (state !== stateOf(issuer)) return [line('IGST', taxPercent)]
  return [line('CGST', taxPercent / 2), line(utgstStates.includes(state) ? 'UTGST' : 'SGST', taxPercent / 2)]
}

import type { BillingDetails } from '@carillon/contract/billing-details'
import { stateOf, utgstStates } from '@carillon/contract/gst-states'
import { z } from 'zod'

/** A line of an invoice, in ledger units. `tax` lines follow the subtotal. */
export const InvoiceLine = z.object({
  kind: z.enum(['item', 'tax']),
  description: z.string(),
  units: z.number().nullish(),
  rate: z.number().nullish(),
  amount: z.number(),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** A party of an invoice, as of its date. */
export const InvoiceParty = z.object({
  name: z.string().default(''),
  legalName: z.string().default(''),
  address: z.string().default(''),
  gstin: z.string().default(''),
  stateCode: z.string().default(''),
  /** Of the issuer. */
  sacCode: z.string().default(''),
  /** Of the billed party: the state that receives the tax. */
  placeOfSupply: z.string().default(''),
})
export type InvoiceParty = z.infer<typeof InvoiceParty>

type Located = Pick<BillingDetails, 'gstin' | 'stateCode'>
type Parties = { issuer: Located & Pick<BillingDetails, 'taxPercent'>; billed: Located }

/** The state of the billed party; if unknown, the issuer's. */
export function placeOfSupply({ issuer, billed }: Record<'issuer' | 'billed', Located>): string {
  return stateOf(billed) || stateOf(issuer)
}

const unitsPerPaisa = 100

/** Within one state, half is central and half state tax; between states there is one tax. Whole paise. */
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

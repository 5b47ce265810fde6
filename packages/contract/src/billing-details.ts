import { z } from 'zod'
import { Line } from './common.ts'

/** Billing address and tax details for invoices. */
export const BillingDetails = z.object({
  legalName: Line.max(160).default(''),
  address: z.string().trim().max(400).default(''),
  /** 15 characters: state code, PAN, entity, Z, check digit. */
  gstin: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^(?:\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d])?$/, 'A GSTIN has 15 characters, such as 27AAPFU0939F1ZV')
    .default(''),
  /** Two digits; decides between CGST with SGST and IGST. */
  stateCode: z
    .string()
    .regex(/^(?:\d{2})?$/, 'A state code has two digits')
    .default(''),
  invoicePrefix: z
    .string()
    .trim()
    .regex(/^[A-Z\d/-]{0,12}$/i, 'Letters, digits, dashes')
    .default('INV'),
  /** SAC code (India's services accounting code) of the invoiced service. */
  sacCode: z
    .string()
    .trim()
    .regex(/^\d{4,8}$/, 'A SAC code has 4 to 8 digits, such as 998599')
    .default('998599'),
  /** Tax rate on invoices to accounts below; 0: no tax lines. */
  taxPercent: z.number().min(0).max(50).default(18),
})
export type BillingDetails = z.infer<typeof BillingDetails>

import { useApi } from '../../lib/use-api.ts'
import { BillingDetailsForm } from '../../ui/billing-details-form.tsx'
import { Region } from '../../ui/region.tsx'

/** Billing details on monthly invoices to accounts below. */
export function InvoicesSection() {
  const details = useApi('billingDetails.get', {})
  return (
    <Region read={details} label="the billing details" lines={6}>
      {(data) => <BillingDetailsForm details={data} issues />}
    </Region>
  )
}

import type { BillingDetails } from '@carillon/contract/billing-details'
import { BillingDetailsForm } from '../../ui/billing-details-form.tsx'
import { useApi } from '../../lib/use-api.ts'
import { Region } from '../../ui/region.tsx'

/** Billing details on received invoices. */
export function DetailsTab() {
  const details = useApi('billingDetails.get', {})
  return (
    <div className="max-w-160 py-4 screen-x">
      <Region read={details} label="the billing details" lines={6}>
        {(data: BillingDetails) => <BillingDetailsForm details={data} />}
      </Region>
    </div>
  )
}

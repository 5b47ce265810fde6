import { useUser } from '../../../lib/session.ts'
import { AllBots } from './all-bots.tsx'
import { PartnerForm } from './partner-form.tsx'

/** The partner account, requests and bots; for the administrator only. */
export function RcsSection() {
  const user = useUser()
  if (user?.type !== 'admin') return null
  return (
    <>
      <PartnerForm />
      <AllBots />
    </>
  )
}

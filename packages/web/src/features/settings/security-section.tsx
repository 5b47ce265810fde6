import type { Profile } from '@carillon/contract/accounts'
import { ChangePassword } from './change-password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'

/** Password, two-factor authentication, and active sessions. */
export function SecuritySection({ profile }: { profile: Profile }) {
  return (
    <div className="flex flex-col gap-10">
      <ChangePassword />
      <SecondFactor profile={profile} />
      <SessionList />
    </div>
  )
}

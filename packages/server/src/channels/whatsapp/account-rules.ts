import type { AccountRules, LineRules } from '../account-rules.ts'

export const whatsappAccounts: AccountRules = {
  name: 'WhatsApp account',
  audited: { account: 'whatsapp_account', sender: 'whatsapp_number' },
}

const stopped: readonly string[] = ['FLAGGED', 'RATE_LIMITED', 'RESTRICTED', 'BANNED']

export const whatsappLines: LineRules = {
  name: 'Phone number',
  // A number that is connected at Meta has been registered there, by us or before us.
  isRegistered: (status) => status === 'CONNECTED',
  isStopped: (status) => stopped.includes(status),
  // Meta stops a number for complaints: the next messages should not be sent before someone has found the cause.
  resumes: false,
  findObstacle({ isRegistered, status }) {
    if (!isRegistered) return 'The number is not registered yet: register it with its PIN first'
    return status === 'DELETED' ? 'The account no longer has this number' : undefined
  },
}

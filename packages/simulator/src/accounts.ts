/** A registered DLT template. Without `text` only the ids are compared. */
export type DltTemplate = { entityId: string; templateId: string; header?: string; text?: string }

/** A customer account at the operator, used by SMPP and all HTTP gateways. */
export type Account = {
  systemId: string
  password: string
  bindLimit: number
  /** Maximum outstanding submits per bind; 0 is no limit. */
  window: number
  /** Submits per second over all binds and gateways; 0 is no limit. */
  ratePerSecond: number
  /** Maximum messages without a final report; 0 is no limit. */
  queueLimit: number
  answerIdBase: 'decimal' | 'hexadecimal'
  receiptIdBase: 'decimal' | 'hexadecimal'
  receiptForm: 'text' | 'tlv' | 'both'
  defaultAlphabet: 'gsm' | 'latin1'
  /** Idle time before the server sends enquire_link; 0 is never. */
  enquireEveryMs: number
  /** Idle time before a bind is closed; 0 is never. */
  idleCloseMs: number
  /** Time after which an unanswered deliver_sm is resent. */
  deliverTimeoutMs: number
  /** Delay before a retry that the client requested. */
  deliverRetryMs: number
  deliverAttempts: number
  /** Maximum outstanding deliver_sm per bind. */
  deliverWindow: number
  dlt:
    | {
        templates: DltTemplate[]
        /** Missing ids: refused at once, or accepted and reported REJECTD. */ missing: 'refuse' | 'report'
      }
    | undefined
  /** URL to which the HTTP gateways post inbound messages. */
  inboundUrl: string | undefined
  /** MSG91's status webhook, which its dashboard configures, not the request. */
  statusWebhook: { url: string; version: 'v2' | 'v3' | 'v4' } | undefined
  /** Texts of MSG91 flow templates by id, with ##NAME## variables. */
  flowTemplates: Record<string, string>
}

export type AccountSettings = Partial<Account> & { systemId: string }

const defaults: Omit<Account, 'systemId'> = {
  password: 'simulator',
  bindLimit: 32,
  window: 0,
  ratePerSecond: 0,
  queueLimit: 0,
  answerIdBase: 'decimal',
  receiptIdBase: 'decimal',
  receiptForm: 'both',
  defaultAlphabet: 'gsm',
  enquireEveryMs: 30_000,
  idleCloseMs: 0,
  deliverTimeoutMs: 10_000,
  deliverRetryMs: 1000,
  deliverAttempts: 20,
  deliverWindow: 500,
  dlt: undefined,
  inboundUrl: undefined,
  statusWebhook: undefined,
  flowTemplates: {},
}

export type Accounts = {
  find: (systemId: string) => Account | undefined
  /** The account with this name and password. */
  signIn: (systemId: string | undefined, password: string | undefined) => Account | undefined
  findByKey: (password: string | undefined) => Account | undefined
  /** Updates or creates an account. Changes apply to open binds immediately. */
  put: (settings: AccountSettings) => Account
  list: () => Account[]
  first: () => Account
}

export function createAccounts(initial: AccountSettings[]): Accounts {
  const accountById = new Map<string, Account>()

  function put(settings: AccountSettings): Account {
    const known = accountById.get(settings.systemId)
    if (known) return Object.assign(known, settings)
    const account = { ...defaults, ...settings }
    accountById.set(account.systemId, account)
    return account
  }

  const first = put({ systemId: 'carillon' })
  for (const settings of initial) put(settings)

  return {
    find: (systemId) => accountById.get(systemId),
    signIn(systemId, password) {
      const account = systemId === undefined ? undefined : accountById.get(systemId)
      return account?.password === password ? account : undefined
    },
    findByKey: (password) => [...accountById.values()].find((account) => account.password === password),
    put,
    list: () => [...accountById.values()],
    first: () => first,
  }
}

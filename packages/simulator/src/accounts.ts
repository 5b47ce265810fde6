/** A template registered with the operators, as the DLT check knows it. Without `text` only the ids are compared. */
export type DltTemplate = { entityId: string; templateId: string; header?: string; text?: string }

/** What one customer agreed with this operator. The same account serves SMPP and every HTTP face. */
export type Account = {
  systemId: string
  password: string
  bindLimit: number
  /** Unanswered submits a bind may have; 0 is no limit. */
  window: number
  /** Submits a second over all binds and faces; 0 is no limit. */
  ratePerSecond: number
  /** Messages whose last report is still out; 0 is no limit. */
  queueLimit: number
  answerIdBase: 'decimal' | 'hexadecimal'
  receiptIdBase: 'decimal' | 'hexadecimal'
  receiptForm: 'text' | 'tlv' | 'both'
  defaultAlphabet: 'gsm' | 'latin1'
  /** Silence after which the operator asks whether the client is there; 0 never asks. */
  enquireEveryMs: number
  /** Silence after which a bind is closed; 0 never. */
  idleCloseMs: number
  /** A deliver_sm without an answer for this long is sent again. */
  deliverTimeoutMs: number
  /** How long the operator waits after an answer that asks for a repeat. */
  deliverRetryMs: number
  deliverAttempts: number
  /** Unanswered deliver_sm a bind is given. */
  deliverWindow: number
  dlt:
    | {
        templates: DltTemplate[]
        /** Missing ids: refused at once, or accepted and reported REJECTD. */ missing: 'refuse' | 'report'
      }
    | undefined
  /** Where the HTTP faces post what a person answers. */
  inboundUrl: string | undefined
  /** MSG91 keeps its status webhook in its panel, not in the request. */
  statusWebhook: { url: string; version: 'v2' | 'v3' | 'v4' } | undefined
  /** MSG91's flow sends ids, not words: text with ##NAME## by template id. */
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
  /** The account whose name and password these are. */
  signIn: (systemId: string | undefined, password: string | undefined) => Account | undefined
  findByKey: (password: string | undefined) => Account | undefined
  /** Changes the named settings of an account, or makes it. Open binds see the change at once. */
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

import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'

export type SmsAccountChoice = {
  id: string
  name: string
  headers: string[]
  entityId?: string | undefined
  isActive: boolean
}

/**
 * The SMS accounts to choose from. A role that may not list accounts sees those of its organisation's templates, with the
 * headers used there.
 */
export function useSmsAccounts() {
  const mayList = mayCall('smsAccounts.list')
  const listed = useApi('smsAccounts.list', {}, { enabled: mayList })
  const templates = useApi('smsTemplates.list', { query: { limit: 100 } }, { enabled: !mayList })
  const source = mayList ? listed : templates

  const accounts: SmsAccountChoice[] = mayList
    ? (listed.data ?? []).map(({ _id, name, headers, entityId, isActive }) => ({
        id: _id,
        name,
        headers,
        entityId,
        isActive,
      }))
    : byAccount(templates.data?.templates ?? [])
  return { accounts, isPending: source.isPending, error: source.error, retry: () => void source.refetch() }
}

type Belonging = { smsAccountId: string; accountName: string; header: string; entityId?: string | undefined }

function byAccount(templates: readonly Belonging[]): SmsAccountChoice[] {
  const accounts = new Map<string, SmsAccountChoice>()
  for (const { smsAccountId, accountName, header, entityId } of templates) {
    const known = accounts.get(smsAccountId) ?? {
      id: smsAccountId,
      name: accountName,
      headers: [],
      entityId,
      isActive: true,
    }
    if (!known.headers.includes(header)) known.headers.push(header)
    accounts.set(smsAccountId, known)
  }
  return [...accounts.values()]
}

import { useState } from 'react'
import { roleNames } from './format.ts'
import { useApi } from './use-api.ts'

/** Accounts below, found by name, as choices. */
export function useAccountChoices(types: string) {
  const [search, onSearch] = useState('')
  const users = useApi(
    'users.list',
    { query: { limit: 50, sort: 'name', direction: 'asc', type: types, ...(search ? { search } : {}) } },
    { keepPrevious: true, staleTime: 60_000 },
  )
  const choices = users.data?.users.map(({ _id, name, username, type }) => ({
    id: _id,
    name,
    detail: `${username} · ${roleNames[type]}`,
  }))
  return { users, choices, onSearch }
}
